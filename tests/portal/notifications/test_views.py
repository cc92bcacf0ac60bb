import re
from html import unescape

import pytest

from apps.portal.models import NotificationChoice, ToldTrouble

pytestmark = pytest.mark.django_db
PAGE = "/portal/live/notifications/"


def text_of(answer) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", answer.content.decode())).split())


def checked(answer) -> list[str]:
    return re.findall(r'value="(\w+)"[^>]* checked', answer.content.decode())


@pytest.mark.parametrize("role", ["owner", "developer", "finance", "viewer"])
def test_each_member_chooses_for_themselves_with_nothing_on_at_first(portal_as, role):
    person, other = portal_as(role), portal_as("owner")
    assert checked(person.get(PAGE)) == []
    answer = person.post(PAGE, {"kinds": ["keys", "low_balance"], "balance_below": "500"}, follow=True)
    assert "Saved." in text_of(answer)
    assert (checked(answer), 'value="500.00"' in answer.content.decode()) == (["low_balance", "keys"], True)
    assert checked(other.get(PAGE)) == []
    assert checked(person.get("/portal/test/notifications/")) == []
    person.post(PAGE, {"balance_below": ""})
    assert NotificationChoice.objects.get().kinds == []


@pytest.mark.parametrize(
    ("data", "field", "says"),
    [
        ({"kinds": ["low_balance"]}, "balance_below", "Enter an amount."),
        ({"kinds": ["low_balance"], "balance_below": "0"}, "balance_below", ""),
        ({"kinds": ["low_balance"], "balance_below": "x"}, "balance_below", "Enter a number."),
        ({"kinds": ["everything"]}, "kinds", "everything is not one of the available choices."),
    ],
)
def test_what_cannot_be_chosen_is_refused_beside_its_field(portal, data, field, says):
    answer = portal.post(PAGE, data)
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [field])
    assert says in text_of(answer)
    assert not NotificationChoice.objects.exists()


def test_live_access_is_offered_on_live_alone(portal):
    assert "Live access was approved" in text_of(portal.get(PAGE))
    assert "Live access was approved" not in text_of(portal.get("/portal/test/notifications/"))
    assert portal.post("/portal/test/notifications/", {"kinds": ["live_access"]}).status_code == 400


def test_what_was_told_is_not_told_again_for_a_choice_that_stays(portal):
    portal.post(PAGE, {"kinds": ["keys", "low_balance"], "balance_below": "5"})
    choice = NotificationChoice.objects.get()
    for kind in ("keys", "low_balance"):
        ToldTrouble.objects.create(choice=choice, kind=kind, subject="x")
    portal.post(PAGE, {"kinds": ["keys", "low_balance", "quota"], "balance_below": "5"})
    assert sorted(ToldTrouble.objects.values_list("kind", flat=True)) == ["keys", "low_balance"]
    portal.post(PAGE, {"kinds": ["keys", "low_balance"], "balance_below": "6"})
    assert sorted(ToldTrouble.objects.values_list("kind", flat=True)) == ["keys"]
    portal.post(PAGE, {"kinds": ["quota"]})
    assert not ToldTrouble.objects.exists()


def test_the_menu_of_the_person_leads_to_the_page(portal):
    assert (
        '<a class="menu-item" href="/portal/live/notifications/">'
        in portal.get("/portal/live/").content.decode()
    )
