"""The proof of doctor and exam: every faulty receiver is named rightly, every right one passes, over real HTTP."""

from datetime import timedelta

import pytest

from apps.common import clock
from apps.common.encryption import encrypt
from apps.portal.webhooks.doctor import headers_of
from apps.webhooks.doctor import Pasted, consult_doctor
from apps.webhooks.exams import CASES, grades_of
from apps.webhooks.models import Attempt, Delivery, Endpoint, Exam, ExamStatus
from apps.webhooks.services.take_exams import start_exam, take_exams
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.webhooks import receivers as kinds
from tests.webhooks.conftest import Deliver
from tests.webhooks.receivers import RIGHT, Server, running
from tests.webhooks.sent import BODY, EVENT_ID

pytestmark = pytest.mark.django_db

EXAMINED: dict[type, tuple[set[str], str]] = {
    kinds.ChecksNothing: ({"bad_signature", "stale_timestamp"}, "Verify the signature first"),
    kinds.AllowsAnyAge: ({"stale_timestamp"}, "Reject a timestamp that is more than five minutes off."),
    kinds.RefusesDuplicates: ({"duplicate"}, "Respond with 2xx to an event that you already have"),
    kinds.WantsTheOrder: ({"out_of_order"}, "Respond with 2xx and ignore older events"),
    kinds.TakesTheFirstValue: ({"two_signatures"}, "Compare with every v1 value"),
    kinds.KnowsItsTypes: ({"unknown_type"}, "Respond with 2xx to a type that you do not know"),
    kinds.UnpacksTheData: ({"unknown_field"}, "Ignore fields that you do not know"),
    kinds.WorksBeforeItAnswers: ({"slow"}, "Respond as soon as the event is verified and stored"),
    kinds.RaisesOnForgery: ({"bad_signature"}, "Reject with 4xx, not 5xx"),
}
"""The cases that each fails, and the fix of the first."""
CONSULTED: dict[type, tuple[str, str]] = {
    kinds.WritesTheBodyAnew: ("body_reserialised", "spacing, escaped unicode; they differ from byte 6"),
    kinds.ReadsLatin1: ("body_charset", "they differ from byte 146"),
    kinds.SignsTheBodyAlone: ("signed_text", "yours is over the body alone"),
    kinds.DecodesTheKey: ("key_form", "yours is the decoded base64"),
    kinds.ComparesBase64: ("signature_encoding", "yours is base64, X-Service-Signature is hexadecimal"),
    kinds.ComparesWithTheName: ("comparison", ""),
    kinds.CutsTheHeader: ("header_cut", "48 of 64 characters in X-Service-Signature"),
    kinds.RunsTenMinutesFast: ("timestamp_off", "later than it was signed"),
    kinds.HasAnotherSecret: ("other_endpoint_secret", "https://live.example/hooks (live, "),
}
"""What the doctor says of each, and where."""


def at(server: Server) -> Endpoint:
    return EndpointFactory(url=server.url, secret_encrypted=encrypt(server.secret))


def examined(server: Server, *, seconds: float = 60.0) -> Exam:
    exam = start_exam(endpoint=at(server))
    take_exams(seconds=seconds)
    exam.refresh_from_db()
    return exam


def test_there_are_twelve_faulty_ones_and_four_right_ones() -> None:
    assert (len(EXAMINED) + len(CONSULTED) >= 12, len(RIGHT)) == (True, 4)


@pytest.mark.parametrize("kind", RIGHT, ids=lambda kind: kind.__name__)
def test_a_right_receiver_passes(kind: type) -> None:
    secret = Endpoint(secret_encrypted=EndpointFactory().secret_encrypted).secret
    with running(kind, secret) as server:
        exam = examined(server)
    grades = grades_of(exam.results)
    assert {name: grade for name, grade in grades.items() if not grade.passed} == {}
    assert (exam.status, list(grades)) == (ExamStatus.PASSED, [case.name for case in CASES])


@pytest.mark.parametrize("kind", EXAMINED, ids=lambda kind: kind.__name__)
def test_an_exam_names_the_slip(kind: type) -> None:
    failed, fix = EXAMINED[kind]
    with running(kind, EndpointFactory().secret) as server:
        exam = examined(server, seconds=1.0 if kind is kinds.WorksBeforeItAnswers else 60.0)
    wrong = {name: grade for name, grade in grades_of(exam.results).items() if not grade.passed}
    assert set(wrong) == failed
    assert next(iter(wrong.values())).fix.startswith(fix)
    assert exam.status in (ExamStatus.FAILED, ExamStatus.STOPPED)


@pytest.mark.parametrize("kind", CONSULTED, ids=lambda kind: kind.__name__)
def test_the_doctor_names_the_slip(kind: type, deliver: Deliver) -> None:
    """A real delivery is refused; what the receiver noted of it is what its owner pastes."""
    endpoint = EndpointFactory()
    secret = endpoint.secret
    if kind is kinds.HasAnotherSecret:
        live = EndpointFactory(account=endpoint.account, environment="live", url="https://live.example/hooks")
        secret = live.secret
    with running(kind, secret) as server:
        Endpoint.objects.filter(pk=endpoint.pk).update(url=server.url)
        event = EventFactory(id=EVENT_ID, account=endpoint.account, payload=BODY.decode())
        DeliveryFactory(endpoint=endpoint, event=event)
        deliver()
        assert Attempt.objects.get().status_code == 401
        log = server.log
    fast = timedelta(minutes=10) if kind is kinds.RunsTenMinutesFast else timedelta(0)
    computed = "" if kind is kinds.RunsTenMinutesFast else log["computed"]
    pasted = Pasted(headers_of(log["headers"]), log["body"], computed, clock.now() + fast)
    diagnosis = consult_doctor(endpoint=endpoint, pasted=pasted)
    code, where = CONSULTED[kind]
    assert diagnosis.findings[0].code == code
    assert where in diagnosis.findings[0].where
    assert diagnosis.compared


def test_an_exam_leaves_no_delivery_and_no_failure_behind() -> None:
    with running(kinds.ChecksNothing, EndpointFactory().secret) as server:
        exam = examined(server)
    endpoint = Endpoint.objects.get(pk=exam.endpoint_id)
    assert (exam.status, len(exam.results)) == (ExamStatus.FAILED, len(CASES))
    assert (endpoint.consecutive_failures, endpoint.status) == (0, "enabled")
    assert (Delivery.objects.count(), Attempt.objects.count()) == (0, 0)
