"""What partners download from /docs, played against the live service by the programs that they play it with."""
