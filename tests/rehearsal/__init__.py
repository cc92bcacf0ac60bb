"""`deploy/rehearse`: the topology of docs/deploy.md, run from Debian's packages; parts of it end while partners call."""
