"""Looks at what our migrations do to the tables of a running service: `make lint` runs `python -m tests.migrations`.

Beside a migration the release before serves on, under load. What would stop or break it is refused: docs/migrations.md.
"""
