"""What the portal's pages cost, in this tree and in another one: `make bench ARGS="pages --other DIRECTORY"`."""
