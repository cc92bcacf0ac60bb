"""Is the service there? The probes, also of a server that is not ready, and a first call with the key."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import patch

from django.db.migrations.recorder import MigrationRecorder

from apps.gateway import heartbeats, probes
from tests.examples.stage import Stage


def play(stage: Stage) -> None:
    stage.call("health", "alive", "The process is alive")
    stage.call("healthReady", "ready", "Ready to serve")
    with a_migration_missing():
        stage.call("healthReady", "not-ready", "The database lacks a migration")
    with every_part_alive(stage):
        stage.call("healthFull", "all-well", "Every component is healthy")
    stage.call("ping", "pong", "The key is accepted")


@contextmanager
def a_migration_missing() -> Iterator[None]:
    """As on a server that was started before the migrations of its release ran."""
    newest = MigrationRecorder.Migration.objects.latest("pk")
    newest.delete()
    with patch.object(probes, "_migrated", False):
        yield
    MigrationRecorder.Migration.objects.create(app=newest.app, name=newest.name)


@contextmanager
def every_part_alive(stage: Stage) -> Iterator[None]:
    """The workers give a sign five seconds before the call; reading a part takes no time by a clock that stands still."""
    stage.wait(seconds=55)
    for who in heartbeats.PROCESSES:
        heartbeats.leave(who)
    stage.wait(seconds=-55)
    with patch.object(probes, "time", SimpleNamespace(perf_counter=lambda: 0.0)):
        yield
