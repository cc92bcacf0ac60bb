"""The page of the signature doctor: what it says, to whom, and that it forgets."""

import logging
import time
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.webhooks.models import Endpoint
from apps.webhooks.signatures import signature_headers
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import EndpointFactory, EventFactory
from tests.portal.reading import text_of
from tests.webhooks.sent import BODY, EVENT_ID

pytestmark = pytest.mark.django_db
PAGE = "/portal/test/webhooks/doctor/"


@pytest.fixture
def endpoint(account) -> Endpoint:
    EventFactory(id=EVENT_ID, account=account, payload=BODY.decode())
    return EndpointFactory(account=account)


def headers(endpoint: Endpoint, body: bytes = BODY, *, event_id: str = EVENT_ID) -> str:
    now = int(time.time())
    signed = signature_headers(event_id=event_id, timestamp=now, body=body, signing_secrets=[endpoint.secret])
    return "\r\n".join(f"{name}: {value}" for name, value in signed.items())


def asked(endpoint: Endpoint, **changed: str) -> dict[str, str]:
    given = {
        "endpoint": endpoint.pk,
        "headers": headers(endpoint),
        "body": BODY.decode(),
        "written_as": "text",
    }
    return given | changed


def test_a_right_delivery_is_told_to_be_right(portal, endpoint):
    answer = portal.post(PAGE, asked(endpoint))
    assert answer.status_code == 200
    assert "The signature is valid." in text_of(answer)
    assert "The body is the one that was sent, byte for byte." in text_of(answer)


def test_a_fault_is_named_with_its_place_and_its_mend(portal, endpoint):
    answer = portal.post(PAGE, asked(endpoint, body=BODY.decode().replace('"id":', '"id": ')))
    said = text_of(answer)
    assert "The body was parsed and serialized again. Verify the raw bytes, then parse them." in said
    assert "spacing; they differ from byte 6: ' \"evt_01kb2c8x" in said


def test_of_another_account_it_says_what_it_says_of_nothing(portal, endpoint):
    stranger = EndpointFactory(account=AccountFactory(), url="https://stranger.example/hooks")
    theirs = EventFactory(
        account=stranger.account, payload='{"id":"evt_theirs","secret":"thing"}', id="evt_theirs"
    )
    body = b'{"id":"evt_theirs"}'
    answers = []
    for secret_of, event_id in ((stranger, theirs.pk), (EndpointFactory(), "evt_nobodys")):
        pasted = body.replace(b"evt_theirs", event_id.encode())
        given = asked(endpoint, headers=headers(secret_of, pasted, event_id=event_id), body=pasted.decode())
        diagnosis = portal.post(PAGE, given).context["diagnosis"]
        answers.append((diagnosis.findings, diagnosis.compared))
    assert answers[0] == answers[1]
    assert [finding.code for finding in answers[0][0]] == ["unknown_secret", "event_unknown"]
    assert portal.post(PAGE, asked(stranger)).status_code == 400


def test_no_secret_is_on_the_page(portal, endpoint):
    other = EndpointFactory(account=endpoint.account)
    answer = portal.post(PAGE, asked(endpoint, headers=headers(other), computed="00" * 32)).content.decode()
    assert [
        each.pk for each in (endpoint, other) if each.secret.removeprefix("whsec_") in unescape(answer)
    ] == []
    assert "another endpoint" in answer


def test_nothing_pasted_is_stored_or_logged(portal, endpoint, caplog):
    caplog.set_level(logging.DEBUG)
    marked = '{"id":"evt_x","name":"pasted-by-hand"}'
    with CaptureQueriesContext(connection) as captured:
        answer = portal.post(
            PAGE, asked(endpoint, body=marked, headers="X-Secret: pasted-too", computed="pasted-three")
        )
    statements = [query["sql"].strip() for query in captured]
    written = [each for each in statements if not each.startswith(("SELECT", "SAVEPOINT", "RELEASE"))]
    assert "pasted-by-hand" in answer.content.decode(), "The form keeps it for the next try."
    assert len(captured) > 3
    assert written == []
    assert "pasted" not in caplog.text
    assert answer.wsgi_request.sensitive_post_parameters == ("headers", "body", "computed")
