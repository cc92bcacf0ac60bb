"""Faults on the page Sandbox."""

import re
from html import unescape
from typing import Any

import pytest

from apps.accounts.faults import Faults, set_faults
from apps.accounts.models import Sandbox
from apps.onboarding.sandboxes import reset_sandbox
from apps.portal import sandbox as faults_views
from tests.portal.person import Person

pytestmark = pytest.mark.django_db

PAGE = "/portal/test/sandbox/"
FORM = f"{PAGE}faults/"
SET = {
    "error_share": "12.34",
    "lost_answer_share": "20",
    "latency_ms": "300",
    "duplicate_delivery_share": "0",
    "shuffle_deliveries": "on",
    "seed": "7",
}


def text_of(answer) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", answer.content.decode())).split())


def test_faults_are_set_shown_and_turned_off(portal: Person):
    assert "All are off." in text_of(portal.get(PAGE))
    assert " checked" not in portal.get(FORM).content.decode()

    shown = text_of(portal.post(FORM, SET, follow=True))

    assert Faults.of(Sandbox.objects.get().faults) == Faults(
        latency_ms=300, error_share=1_234, lost_answer_share=2_000, shuffle_deliveries=1, seed=7
    )
    assert (
        "Refused calls 12.34 % Lost answers 20 % Late answers 300 ms Webhooks in another order yes Seed 7"
        in shown
    )
    form = portal.get(FORM).content.decode()
    assert form.count(" checked") == 1
    assert [f'value="{value}"' in form for value in ("12.34", "20", "300", "7")] == [True] * 4

    assert "All are off." in text_of(portal.post(FORM, {"off": "1"}, follow=True))
    assert Sandbox.objects.get().faults == {}


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"error_share": "101"}, "error_share"),
        ({"error_share": "-1"}, "error_share"),
        ({"error_share": "1.234"}, "error_share"),
        ({"error_share": ""}, "error_share"),
        ({"error_share": "NaN"}, "error_share"),
        ({"error_share": "81"}, "lost_answer_share"),
        ({"latency_ms": "10001"}, "latency_ms"),
        ({"duplicate_delivery_share": "x"}, "duplicate_delivery_share"),
        ({"seed": "2147483648"}, "seed"),
    ],
)
def test_what_is_no_fault_is_told_at_its_field(portal: Person, changed: dict[str, str], field: str):
    answer = portal.post(FORM, {**SET, **changed})

    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [field])
    assert not Sandbox.objects.exclude(faults={}).exists()


@pytest.mark.parametrize("form", [SET, {"off": "1"}])
def test_of_a_sandbox_that_is_reset_meanwhile_it_is_said(portal: Person, monkeypatch, form: dict[str, str]):
    def reset_before(**given: Any) -> Sandbox:
        reset_sandbox(account_id=portal.account.pk)
        return set_faults(**given)

    monkeypatch.setattr(faults_views, "set_faults", reset_before)
    answer = portal.post(FORM, form, follow=True)
    assert "This test environment was reset or closed meanwhile." in text_of(answer)


def test_there_are_none_in_live(portal: Person):
    assert portal.get("/portal/live/sandbox/faults/").status_code == 404
    assert portal.post("/portal/live/sandbox/faults/", SET).status_code == 404
