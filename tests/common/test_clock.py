"""The clock: PostgreSQL's alone decides (reliability T3), on the wire, in beat and in its messages."""

import json
import re
import uuid
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from celery.utils.imports import symbol_by_name
from celery.worker import request as library
from hypothesis import example, given
from hypothesis import strategies as st

from apps.common import clock
from apps.common.clock import rfc3339, steady_now
from apps.common.message_expiry import SteadyRequest
from config.celery import app

zones = st.one_of(
    st.integers(-56, 56).map(lambda quarters: timezone(timedelta(minutes=15 * quarters))),
    st.sampled_from([ZoneInfo("Europe/Lisbon"), ZoneInfo("America/New_York"), ZoneInfo("Asia/Kolkata")]),
)
instants = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=zones)
TWICE = datetime(2026, 10, 25, 1, 30, tzinfo=ZoneInfo("Europe/Lisbon"))  # the hour that comes twice


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-20T14:03:22Z", datetime(2026, 11, 20, 14, 3, 22, tzinfo=UTC)),
        ("2026-11-20t16:03:22.120+02:00", datetime(2026, 11, 20, 14, 3, 22, 120_000, tzinfo=UTC)),
        ("2026-11-20T14:03:22.123456789z", datetime(2026, 11, 20, 14, 3, 22, 123_456, tzinfo=UTC)),
    ],
)
def test_an_instant_is_read_with_its_offset(text: str, instant: datetime):
    assert clock.read_rfc3339(text) == instant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-11-20",
        "2026-11-20T14:03:22",
        "2026-11-20T14:03Z",
        "2026-13-20T14:03:22Z",
        "２０２６-11-20T14:03:22Z",
    ],
)
def test_what_is_no_instant_is_refused(text: str):
    with pytest.raises(ValueError):
        clock.read_rfc3339(text)


@given(instants)
@example(TWICE)
@example(TWICE.replace(fold=1))
def test_a_timestamp_is_in_utc_with_milliseconds(instant: datetime):
    milliseconds = (instant.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    expected = datetime(1970, 1, 1) + timedelta(milliseconds=milliseconds)

    assert rfc3339(instant) == f"{expected:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"


class Database:
    """Its clock, and trips to it that take so many seconds, each half on the way there."""

    def __init__(self, *trips: float) -> None:
        self.now, self.trips, self.looks = 1000.0, list(trips), 0

    def cursor(self) -> "Database":
        return self

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def execute(self, statement: str) -> None:
        half = self.trips.pop(0) / 2
        self.looks += 1
        self.now += half
        self._told = datetime.fromtimestamp(self.now, UTC)
        self.now += half

    def fetchone(self) -> tuple[datetime]:
        return (self._told,)


@pytest.mark.parametrize(
    ("trips", "looks", "late"),
    [((0.05,), 1, 0.025), ((60.0, 0.002), 2, 0.001), ((60.0, 9.0, 4.0), 3, 2.0)],
)
def test_a_time_that_was_long_under_way_is_not_carried_on(
    monkeypatch: pytest.MonkeyPatch, trips: tuple[float, ...], looks: int, late: float
) -> None:
    database: Any = Database(*trips)
    monkeypatch.setattr(clock, "connection", database)
    monkeypatch.setattr(clock, "monotonic_time", SimpleNamespace(monotonic=lambda: database.now))
    monkeypatch.setattr(clock, "_carried", SimpleNamespace(ahead=0.0, until=clock.NEVER))

    told = clock.now().timestamp()

    assert (database.looks, told) == (looks, pytest.approx(database.now - late))


ROOT = Path(__file__).resolve().parents[2]
ASKS_THE_HOST = re.compile(r"\b(datetime\.(now|utcnow|today)|date\.today|timezone\.now|time\.time(_ns)?)\(")
ALLOWED = {
    "apps/common/clock.py": "until PostgreSQL has answered for the first time",
    "apps/common/metrics.py": "a figure, which tells how far the host is off",
    "apps/portal/sign_in/sessions.py": "the end of a session, which Django reads by the same clock",
    "apps/webhooks/management/commands/listen.py": "a command on a partner's machine, where there is no database",
    "apps/webhooks/exams.py": "lines for a receiver of a partner's, shown to be copied",
    "config/embedded.py": "an example's date, printed to the terminal",
}


def test_nobody_asks_the_host_for_the_time_of_day() -> None:
    asking = {
        path.relative_to(ROOT).as_posix()
        for room in ("apps", "config")
        for path in (ROOT / room).rglob("*.py")
        if ASKS_THE_HOST.search(path.read_text())
    }
    assert asking == set(ALLOWED)


HOUR = timedelta(hours=1)


def message(expires: float) -> SteadyRequest:
    """As beat writes it and a worker reads it."""
    written = app.amqp.as_task_v2(str(uuid.uuid4()), "bookings.recover", expires=expires)
    told = SimpleNamespace(
        headers=written.headers,
        body=json.dumps(written.body),
        payload=written.body,
        content_type="application/json",
        content_encoding="utf-8",
        delivery_info={},
        properties={},
    )
    return SteadyRequest(told, app=app, task=app.Task())


@pytest.fixture
def host_off(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The clock of this host is wrong by so much, for Celery."""

    def off(by: timedelta) -> None:
        class Wrong(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> Any:
                return datetime.now(UTC) + by

        monkeypatch.setattr(library, "datetime", Wrong)
        monkeypatch.setattr("celery.app.base.datetime", Wrong)

    return off


@pytest.mark.django_db
@pytest.mark.parametrize("off_when_sent", [-HOUR, timedelta(0), HOUR])
@pytest.mark.parametrize("off_when_read", [-HOUR, timedelta(0), HOUR])
def test_whatever_the_clocks_of_the_hosts_say(
    host_off: Any, off_when_sent: timedelta, off_when_read: timedelta
) -> None:
    host_off(off_when_sent)
    fresh, old = message(5), message(-1)
    host_off(off_when_read)
    assert (fresh.maybe_expire(), old.maybe_expire()) == (False, True)
    assert not message(5).revoked()


def test_every_task_of_ours_is_read_so() -> None:
    app.loader.import_default_modules()
    ours = [task for name, task in app.tasks.items() if not name.startswith("celery.")]
    assert len(ours) > 10
    assert {symbol_by_name(task.Request) for task in ours} == {SteadyRequest}


@pytest.mark.django_db
def test_it_goes_on_from_the_first_look_whoever_sets_the_database_s_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock._first_look.cache_clear()
    before = steady_now()
    assert abs(before - clock.now()) < timedelta(minutes=1)
    set_back = clock.now() - HOUR
    monkeypatch.setattr(clock, "_database_now", lambda: set_back)
    assert before <= steady_now() < before + timedelta(minutes=1)
