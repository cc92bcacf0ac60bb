"""Load and hostile inputs through nginx: `make siege`."""
