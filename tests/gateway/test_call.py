"""What is known of a call while it goes through the steps."""

import pytest
from django.test import RequestFactory

from apps.common import logs
from apps.gateway import steps
from apps.gateway.answer import Answer
from apps.gateway.call import Call, Caller
from apps.gateway.idempotency import Claim, StoredAnswer, claim
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.api import Api

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def a_call(method: str = "GET", **headers: str) -> Call:
    return Call(RequestFactory().generic(method, "/v1/account", headers=headers), "a-request", {}, {})


@pytest.mark.parametrize(("sent", "taken"), [("GET", "GET"), ("HEAD", "GET"), ("POST", "POST")])
def test_head_is_answered_as_get(sent: str, taken: str) -> None:
    assert a_call(sent).method == taken


def test_log_lines_of_nobodys_call_name_the_request_and_its_trace() -> None:
    assert a_call().log_ids() == {"requestId": "a-request"}
    traced = a_call(traceparent=f"00-{TRACE}-00f067aa0ba902b7-01")
    assert traced.log_ids() == {"requestId": "a-request", "traceId": TRACE}


@pytest.mark.django_db
def test_log_lines_of_a_partners_call_name_its_account_key_and_environment() -> None:
    call = a_call()
    call.partner_found = partner = partner_of(api_of_new_partner())
    assert call.log_ids() == {
        "requestId": "a-request",
        "accountId": partner.account_id,
        "keyId": partner.key_id,
        "environment": "test",
    }


def test_log_lines_name_a_call_from_its_first_step_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    during: list[logs.Ids] = []
    bearer_key = steps.bearer_key

    def noted(call: Call) -> None:
        during.append(logs.ids())
        bearer_key(call)

    monkeypatch.setattr(steps, "bearer_key", noted)
    reply = Api("").get("/v1/account")

    assert (reply.status, during) == (401, [{"requestId": reply.headers["X-Request-Id"]}])
    assert logs.ids() == {}


def shown(record: object) -> Answer:
    return Answer({"is": record}, 201)


@pytest.mark.django_db
@pytest.mark.parametrize("claimed", [True, False])
def test_a_caller_is_answered_with_what_was_stored_or_else_with_the_record(claimed: bool) -> None:
    partner = partner_of(api_of_new_partner())
    made = claim(partner, "one-and-the-same-key", "print") if claimed else None
    assert not isinstance(made, StoredAnswer)
    caller = Caller(partner, "a-request", claim=made, render=shown)
    assert caller.answer("as it is now").body == {"is": "as it is now"}
    caller.complete("as it was stored")
    assert caller.answer("as it is now").body == {"is": "as it was stored" if claimed else "as it is now"}
    assert (caller.completion("x") is not None) is claimed


@pytest.mark.django_db
def test_without_a_way_to_show_it_nothing_is_stored() -> None:
    partner = partner_of(api_of_new_partner())
    made = claim(partner, "one-and-the-same-key", "print")
    assert isinstance(made, Claim)
    caller = Caller(partner, "a-request", claim=made)
    caller.complete("x")
    assert (caller.completion("x"), made.stored) == (None, None)
