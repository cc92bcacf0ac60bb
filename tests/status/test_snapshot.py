import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.common import clock
from apps.status import snapshot
from apps.status.models import Impact, Incident, StatusDay
from apps.status.snapshot import taken, without_database

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sold_live")]


def measured(component: str, supplier: str = "", **figures: int) -> None:
    StatusDay.objects.create(day=clock.today(), component=component, supplier=supplier, **figures)


def test_a_line_for_each_product_and_supplier_with_ninety_days(settings) -> None:
    settings.STATUS_SUPPLIER_NAMES = True
    measured("hotels", "nuitee", calls=1_000, failed=300)
    measured("hotels", "hotelbeds", calls=50)
    told = taken()["components"]
    assert [(each["id"], each["supplier"], each["former"], each["state"]) for each in told] == [
        ("api", None, False, "unknown"),
        ("hotels", "nuitee", False, "outage"),
        ("hotels-former-1", "hotelbeds", True, "operational"),
        ("webhooks", None, False, "unknown"),
        ("background", None, False, "unknown"),
        ("sandbox", None, False, "unknown"),
    ]
    assert {len(each["days"]) for each in told} == {90}
    assert told[1]["days"][-1] == {
        "date": clock.today().isoformat(),
        "state": "outage",
        "answeredPercent": 70.0,
        "failedMinutes": 0,
        "unmeasuredMinutes": 0,
        "words": "70.00 % of calls answered",
    }


def test_the_public_reads_no_supplier_unless_the_settings_allow_it() -> None:
    measured("hotels", "nuitee", calls=54_321, failed=1)
    measured("hotels", "hotelbeds", calls=54_321)
    text = orjson.dumps(taken()).decode()
    assert ("nuitee" in text, "hotelbeds" in text, "54321" in text) == (False, False, False)
    assert "hotels-former-1" in text


def test_the_worst_of_what_is_served_now_is_the_headline() -> None:
    assert taken()["state"] == "unknown"
    measured("api", checks=9)
    assert taken()["state"] == "operational"
    measured("hotels", "hotelbeds", checks=90, failed_checks=90)
    assert taken()["state"] == "operational"
    measured("webhooks", checks=90, failed_checks=6)
    assert taken()["state"] == "degraded"


@pytest.mark.parametrize(
    ("impact", "state"),
    [("minor", "degraded"), ("major", "degraded"), ("critical", "outage"), ("maintenance", "operational")],
)
def test_an_incident_that_lasts_speaks_louder_than_good_figures(impact: str, state: str) -> None:
    measured("api", checks=9)
    incident = Incident.objects.create(title="x", impact=impact, products=["api"])
    assert taken()["state"] == state
    incident.resolved_at = clock.now()
    incident.save()
    assert taken()["state"] == "operational"


def test_incidents_of_the_days_shown_and_those_that_last(move_clock) -> None:
    old = Incident.objects.create(title="old", impact=Impact.MINOR, products=["api"])
    Incident.objects.create(title="lasting", impact=Impact.MAJOR, products=["hotels", "gone"])
    Incident.objects.filter(pk=old.pk).update(resolved_at=clock.now())
    move_clock(days=91)
    [told] = taken()["incidents"]
    assert (told["title"], told["products"], told["resolvedAt"]) == ("lasting", ["Hotels"], None)


def test_the_statements_are_as_many_whatever_there_is(django_assert_max_num_queries) -> None:
    for number in range(5):
        incident = Incident.objects.create(title=str(number), impact=Impact.MINOR, products=["api"])
        incident.updates.create(text="x")
    with CaptureQueriesContext(connection) as queries:
        taken()
    assert len(queries) == 4


def test_without_the_database_the_last_content_says_since_when(move_clock) -> None:
    measured("api", checks=9)
    last = taken()
    first = without_database(last)
    move_clock(minutes=5)
    second = without_database(first)
    assert second["databaseAwaySince"] == first["databaseAwaySince"] == first["writtenAt"]
    assert (second["state"], second["components"]) == ("outage", last["components"])
    assert without_database(None)["components"] == []
    assert snapshot.DAYS == 90
