import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.common import clock
from apps.status.models import Impact, Incident
from apps.status.snapshot import taken
from tests.support.back_office import Desk, faults_of

pytestmark = pytest.mark.django_db
LIST, ADD = "/admin/status/incident/", "/admin/status/incident/add/"
RIGHTS = ("status.add_incident", "status.change_incident", "status.view_incident")
UPDATE_RIGHTS = ("status.add_incidentupdate", "status.change_incidentupdate", "status.view_incidentupdate")


def form(*, began: int = -60, ended: int | None = None, told: int = -30, **changes: object) -> dict[str, Any]:
    """Minutes from now."""

    def split(name: str, minutes: int | None) -> dict[str, str]:
        at = clock.now() + timedelta(minutes=minutes) if minutes is not None else None
        return {
            f"{name}_0": f"{at:%Y-%m-%d}" if at else "",
            f"{name}_1": f"{at:%H:%M:%S}" if at else "",
        }

    return {
        "title": "Hotels answer late",
        "impact": "major",
        "products": ["hotels"],
        **split("started_at", began),
        **split("resolved_at", ended),
        "updates-TOTAL_FORMS": "1",
        "updates-INITIAL_FORMS": "0",
        **split("updates-0-at", told),
        "updates-0-stage": "identified",
        "updates-0-text": "We know <b>why</b>.",
        **changes,
    }


def errors_of(answer: Any) -> list[str]:
    found = re.findall(r'<ul class="errorlist[^>]*>(.*?)</ul>', answer.content.decode(), re.DOTALL)
    return re.findall(r"<li>(.*?)</li>", "".join(found))


def test_staff_write_an_incident_and_its_updates() -> None:
    desk = Desk(*RIGHTS, *UPDATE_RIGHTS)
    assert desk.post(ADD, form()).status_code == 302
    [told] = taken()["incidents"]
    assert (told["title"], told["impact"], told["products"]) == ("Hotels answer late", "major", ["Hotels"])
    assert [(update["stage"], update["text"]) for update in told["updates"]] == [
        ("identified", "We know <b>why</b>.")
    ]
    page = f"{LIST}{Incident.objects.get().pk}/change/"
    assert [faults_of(desk, each) for each in (LIST, ADD, page)] == [[], [], []]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ended": -61}, "It cannot end before it begins."),
        ({"ended": 10}, "Leave it empty until it is over."),
        ({"began": 10, "told": -1}, "Only maintenance can begin later than now."),
        ({"told": -61}, "It cannot be from before the incident began."),
        ({"told": 10}, "It cannot have been written later than now."),
        ({"products": ["nothing"]}, "Select a valid choice. nothing is not one of the available choices."),
        ({"title": "x" * 121}, "Ensure this value has at most 120 characters (it has 121)."),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_stored(given: dict[str, Any], said: str) -> None:
    answer = Desk().post(ADD, form(**given))
    assert said in errors_of(answer)
    assert Incident.objects.count() == 0


def test_maintenance_is_told_of_before_it_begins() -> None:
    assert Desk().post(ADD, form(began=600, told=-1, impact="maintenance")).status_code == 302


def test_the_database_refuses_an_end_before_the_beginning_too() -> None:
    now = clock.now()
    with pytest.raises(IntegrityError), transaction.atomic():
        Incident.objects.create(
            title="x", impact=Impact.MINOR, started_at=now, resolved_at=now - timedelta(seconds=1)
        )


def test_who_may_not_write_incidents_cannot_and_nobody_deletes_one() -> None:
    incident = Incident.objects.create(title="x", impact=Impact.MINOR, products=["api"])
    assert Desk("ledger.view_wallet").post(ADD, form()).status_code == 403
    assert Desk().post(f"{LIST}{incident.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Incident.objects.get() == incident


def test_each_input_of_a_time_says_what_it_is() -> None:
    html = Desk(*RIGHTS, *UPDATE_RIGHTS).get(ADD).content.decode()
    named = set(re.findall(r'aria-label="([^"]+)"', html))
    assert named >= {"Started at, date", "Started at, time", "Resolved at, date", "At, date", "At, time"}
