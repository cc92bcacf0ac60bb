"""PostgreSQL and Redis of this checkout's own, from wheels, for when the environment names no others.

`servers` runs one in any directory, `keeper` and `sharing` let several commands use the same one, `run` is
`make run`. Everything they write lies under `var/`.
"""

from config.embedded.environment import prepare_environment, prepare_test_environment

__all__ = ["prepare_environment", "prepare_test_environment"]
