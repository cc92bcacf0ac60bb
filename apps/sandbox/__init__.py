"""The controls of a test environment: `/sandbox/…`, outside /v1, for test keys alone."""
