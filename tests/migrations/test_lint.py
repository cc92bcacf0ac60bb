"""Our migrations are safe beside the release before; planted ones that are not are refused, as Django writes them."""

import inspect
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from apps.common.at_once import AtOnce
from tests.migrations import lint
from tests.migrations.exceptions import EXCEPTIONS, RELEASED
from tests.migrations.lint import faults, faults_of
from tests.migrations.reading import Read, programs_of, read_ours, written

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def ours(django_db_setup: None, django_db_blocker: Any) -> list[Read]:
    with django_db_blocker.unblock():
        return read_ours()


@pytest.fixture(scope="module")
def today(django_db_setup: None, django_db_blocker: Any) -> ProjectState:
    with django_db_blocker.unblock():
        return MigrationLoader(connection).project_state()


def test_ours_are_safe_beside_the_release_before(ours: list[Read]) -> None:
    assert len(ours) > 80
    assert faults(ours) == {}


def test_exceptions_are_needed_and_say_why(ours: list[Read], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lint, "EXCEPTIONS", {})
    found = faults(ours)
    assert set(found) == set(EXCEPTIONS)
    parts = [(name, part, why) for name, parts in EXCEPTIONS.items() for part, why in parts.items()]
    assert parts
    for name, part, why in parts:
        assert any(part in wrong for wrong in found[name]), (name, part)
        assert len(why) > 20


def test_what_is_released_is_there(ours: list[Read]) -> None:
    there = {(each.app, each.name[:4]) for each in ours}
    assert set(RELEASED.items()) <= there


class Renamed(migrations.RunSQL):
    def __init__(self) -> None:
        super().__init__("ALTER TABLE bookings_booking RENAME COLUMN status TO state")


def whole_table(apps: Any, schema_editor: Any) -> None:
    apps.get_model("bookings", "Booking").objects.update(status="confirmed")


def in_batches(apps: Any, schema_editor: Any) -> None:
    """A batch at a time."""


SEATS = models.IntegerField(default=1)
PLANTED: dict[str, tuple[Operation, str]] = {
    "index": (
        migrations.AddIndex("booking", models.Index(fields=["total_cents"], name="planted")),
        "index planted is made while writes to bookings_booking wait",
    ),
    "required column": (
        migrations.AddField("booking", "seats", SEATS),
        "bookings_booking.seats is NOT NULL without a default of the database",
    ),
    "constraint": (
        migrations.AddConstraint(
            "booking", models.CheckConstraint(condition=models.Q(total_cents__lt=9), name="planted")
        ),
        "constraint planted reads every row of bookings_booking at once",
    ),
    "dropped column": (migrations.RemoveField("booking", "status"), "bookings_booking.status is dropped"),
    "renamed column": (
        migrations.RenameField("booking", "status", "state"),
        "bookings_booking.status is renamed",
    ),
    "renamed table": (migrations.AlterModelTable("booking", "planted"), "bookings_booking is renamed"),
    "dropped table": (migrations.DeleteModel("settlement"), "bookings_settlement is dropped"),
    "raw": (Renamed(), "bookings_booking.status is renamed"),
    "program": (migrations.RunPython(whole_table), "def whole_table goes through a table without batches"),
}


def planted(operations: Sequence[Operation], state: ProjectState, *, atomic: bool = True) -> list[str]:
    migration = type("Migration", (migrations.Migration,), {"operations": operations, "atomic": atomic})(
        "planted", "bookings"
    )
    statements, _ = written(migration, state.clone())
    sources = [inspect.getsource(each) for each in programs_of(operations)]
    read = Read("bookings", "9999_planted", atomic, statements, sources, len(operations))
    return faults_of(read, frozenset())


@pytest.mark.parametrize("case", PLANTED)
def test_a_planted_migration_is_refused(case: str, today: ProjectState) -> None:
    operation, said = PLANTED[case]
    found = planted([operation], today)
    assert any(each.startswith(said) for each in found), found


def test_a_lock_is_not_kept_from_one_operation_to_the_next(today: ProjectState) -> None:
    added = [
        migrations.AddField("booking", name, models.IntegerField(null=True)) for name in ("seats", "bags")
    ]
    (said,) = planted(added, today)
    assert said.startswith("bookings_booking stays locked")
    assert planted([AtOnce(added)], today) == []
    assert planted(added, today, atomic=False) == []


def test_a_safe_one_is_not(today: ProjectState) -> None:
    assert planted([migrations.AddField("booking", "seats", models.IntegerField(null=True))], today) == []
    assert planted([migrations.RunPython(in_batches)], today, atomic=False) == []
    assert planted([migrations.RunPython(migrations.RunPython.noop)], today) == []
    assert len(planted([migrations.RunPython(in_batches)], today)) == 1
