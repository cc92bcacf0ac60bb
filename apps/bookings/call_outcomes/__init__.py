"""What became of a POST, told by its Idempotency-Key: at any instant, also while it runs, after a crash, and after its 24 h."""
