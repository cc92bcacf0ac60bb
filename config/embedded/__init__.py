"""PostgreSQL and Redis of this checkout's own, from wheels, for when the environment names no others."""


def prepare_environment() -> None:
    """Fill in what the environment leaves unset."""
