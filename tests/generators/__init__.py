"""`make generators`: clients that partners may generate from our document, made, compiled and run against the live service."""
