"""Smoke tests of the client generators that partners use most: each takes the live document, and its client works."""
