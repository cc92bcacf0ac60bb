"""What plays the downloads of /docs against the live service."""
