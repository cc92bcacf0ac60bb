"""A refusal in the request log: its words stay where they are ours, and nothing that they quote."""

import ast
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from apps.bookings.refusals import as_refusal
from apps.bookings.services.perform import NO_LONGER_SOLD
from apps.common import errors
from apps.gateway import sandbox
from apps.gateway.json_body import parse
from apps.gateway.middleware import NO_SUCH_PATH
from apps.gateway.request_log.redaction import (
    HIDDEN,
    redact_refusal,
)
from apps.suppliers.errors import NotPossible


def test_a_refusal_keeps_its_words_unless_they_quote_what_was_sent():
    details = [
        {"field": "passengers.0.firstName", "message": "is required"},
        {"field": "passengers.0.Ada", "message": "is not a property of this request"},
        {"field": "type", "message": '"Ada" is not a valid choice.'},
    ]
    error = {
        "type": "invalid_request",
        "message": "The request is not valid; see details.",
        "details": details,
    }
    assert redact_refusal({"error": error}, set()) == {
        "error": {
            "type": "invalid_request",
            "message": "The request is not valid; see details.",
            "details": [
                {"field": "passengers.0.firstName", "message": "is required"},
                {"field": HIDDEN, "message": "is not a property of this request"},
                {"field": "type", "message": HIDDEN},
            ],
        }
    }


@pytest.mark.parametrize("told", ["Ada", None, 7, ["Ada"]])
def test_a_refusal_of_another_form_keeps_nothing_of_it(told: object):
    assert redact_refusal({"error": told}, set()) == {"error": told if told is None else redacted_as(told)}


@pytest.mark.parametrize("body", [None, [], "Ada", b"{}"])
def test_a_refusal_that_is_no_object_is_nothing(body: object) -> None:
    assert redact_refusal(body, set()) is None


def redacted_as(told: object) -> object:
    return [HIDDEN] if isinstance(told, list) else HIDDEN


def kept_of(**error: object) -> object:
    """What is kept of a refusal that nobody said to be in our words."""
    return redact_refusal({"error": error}, set())


def kept_of_raised(refusal: errors.GatewayError) -> object:
    return redact_refusal({"error": {"message": refusal.message, **refusal.extras}}, refusal.own_texts)


@pytest.mark.parametrize("base", ["https://docs.example", "https://docs.example/"])
def test_a_refusal_keeps_the_address_of_its_page_and_no_other(settings, base: str):
    settings.DOCS_BASE_URL = base
    own = errors.NotFound.type
    page = f"https://docs.example/errors/{own}"

    assert kept_of(type=own, docUrl=page) == {"error": {"type": own, "docUrl": page}}
    for other in (
        f"{page}/Ada",
        f"{page}?Ada",
        "https://docs.example/errors/Ada",
        "https://ada.example",
        "",
        7,
    ):
        assert kept_of(docUrl=other) == {"error": {"docUrl": HIDDEN}}


def test_no_address_is_a_page_where_there_are_none(settings):
    settings.DOCS_BASE_URL = ""

    assert kept_of(docUrl="/errors/not_found") == kept_of(docUrl="") == {"error": {"docUrl": HIDDEN}}


@pytest.mark.parametrize(
    "message",
    [
        NO_SUCH_PATH,
        NO_LONGER_SOLD,
        "The account is suspended.",
        "The account is read-only.",
        "The order is cancelled, not ticketed.",
        "More than 60 requests in a minute; wait 12 s.",
        "The daily search quota of 2000 is used up; it starts anew at midnight UTC.",
        "The secret was rotated less than 24 hours ago; it is safe again after 2026-11-21T12:00:00.123Z.",
        f"Unknown sandbox trigger; there are: {', '.join(sandbox.TRIGGERS)}.",
    ],
)
def test_a_refusal_keeps_what_is_in_our_words_alone(message: str):
    ours = errors.Conflict(message, ours=True)
    assert kept_of_raised(ours) == {"error": {"message": message}}
    for typed in (f"{message} Ada", f"Ada: {message}", message.replace(" ", " Ada ", 1)):
        assert kept_of(message=typed) == {"error": {"message": HIDDEN}}
        assert redact_refusal({"error": {"message": typed}}, ours.own_texts) == {"error": {"message": HIDDEN}}


@pytest.mark.parametrize(
    "message",
    [
        *("The account is Ada.", "The booking is Ada.", "The body is Ada.", "must be paid by Ada"),
        *("The request body is not JSON: Ada.", "is asked for by Ada", "This externalReference is Ada."),
    ],
)
def test_a_sentence_that_does_not_say_to_be_ours_is_hidden(message: str):
    assert kept_of_raised(errors.Conflict(message)) == {"error": {"message": HIDDEN}}
    assert kept_of(message=message) == {"error": {"message": HIDDEN}}


def test_a_suppliers_own_words_are_never_taken_for_ours():
    refusal = as_refusal(NotPossible("must be asked for by Ada"), quoted_cents=0, currency="EUR")

    assert refusal.message == "must be asked for by Ada"
    assert kept_of_raised(refusal) == {"error": {"message": HIDDEN}}


@pytest.mark.parametrize(
    "raw",
    [
        *(b'{"Ada"', b'{"Ada":}', b"{Ada:1}", b'{"Ada":1,}', b'{"Ada":1 2}', b'{"Ada":1}{}', b'{"Ada'),
        *(b'{"Ada":"\n"}', rb'{"Ada":"\q"}', rb'{"Ada":"\uZZZZ"}', b'{"Ada":NaN}', b'{"Ada":1e999}', b"[]"),
        *(
            b"\xef\xbb\xbf{}",
            b"\xff",
            b'{"Ada":1,"Ada":2}',
            b'{"Ada":"\\u0000"}',
            b'{"Ada":"\\ud800"}',
            b"[" * 9000,
        ),
    ],
)
def test_what_is_said_of_a_body_is_kept_and_nothing_that_stood_in_it(raw: bytes):
    with pytest.raises(errors.InvalidRequest) as refusal:
        parse(raw)

    kept = orjson.dumps(kept_of_raised(refusal.value)).decode()
    assert (HIDDEN in kept.replace(f'"field":"{HIDDEN}"', ""), "Ada" in kept) == (False, False)


# Said on the portal's pages and in the back office, or to suppliers: never by an operation of /v1.
ELSEWHERE = {
    *(
        "bookings/services/cancel_for_member.py",
        "bookings/services/preview.py",
        "bookings/services/reconcile.py",
        "bookings/services/resolve.py",
    ),
    *("gateway/request_log/selectors.py", "webhooks/services/recover.py"),
    "webhooks/services/start_exam.py",
}


def test_every_constant_message_of_the_api_is_said_to_be_ours():
    """Or the owner of the key would read "•••" in the log; this says where `ours=True` is missing."""
    messages = list(constant_messages())

    assert len(messages) > 20
    assert [(path, message) for path, message, is_ours in messages if not is_ours] == []


def constant_messages() -> Iterator[tuple[str, str, bool]]:
    """Where a refusal is made with a text of the code, the text, and whether it says to be ours."""
    apps = Path(errors.__file__).parents[1]
    known = {error.__name__ for error in errors.GatewayError.__subclasses__()}
    for app in ("gateway", "bookings", "webhooks", "hotels", "flights", "transfers", "esim"):
        for path in sorted((apps / app).rglob("*.py")):
            if str(path.relative_to(apps)) in ELSEWHERE:
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                if not (
                    isinstance(node, ast.Call)
                    and node.args
                    and isinstance(node.args[0], ast.Constant | ast.JoinedStr)
                ):
                    continue
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name in known:
                    is_ours = any(keyword.arg == "ours" for keyword in node.keywords)
                    yield str(path.relative_to(apps)), ast.unparse(node.args[0]), is_ours


def test_a_message_that_is_no_text_is_hidden():
    assert kept_of(message=7) == {"error": {"message": HIDDEN}}
