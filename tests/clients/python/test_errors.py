"""The exceptions beside the refusals of the service."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from travel_partner import TravelPartner, errors

from apps.common.errors import GatewayError

Scripted = Callable[..., TravelPartner]


def below(kind: type[GatewayError]) -> Iterator[type[GatewayError]]:
    for child in kind.__subclasses__():
        yield child
        yield from below(child)


def refusal(
    scripted: Scripted, status: int, error: dict[str, Any], headers: dict[str, str] | None = None
) -> errors.ApiError:
    body = {"error": {"message": "No.", "requestId": "r-1", **error}}
    with pytest.raises(errors.ApiError) as refused:
        # A long Retry-After, so that nothing is tried again.
        scripted(
            lambda _: httpx.Response(status, json=body, headers={"Retry-After": "900", **(headers or {})})
        ).ping()
    return refused.value


def test_every_type_of_the_service_has_a_class() -> None:
    kinds = {kind.type: kind.status for kind in below(GatewayError) if "type" in vars(kind)}
    assert len(kinds) > 20
    assert set(kinds) == set(errors.BY_TYPE)
    for name, status in kinds.items():
        base = errors.ServerError if status >= 500 else errors.BY_STATUS[status]
        assert issubclass(errors.BY_TYPE[name], base), name


@pytest.mark.parametrize("name", sorted(errors.BY_TYPE))
def test_a_type_is_raised_as_its_class(scripted: Scripted, name: str) -> None:
    raised = refusal(scripted, 418, {"type": name})
    assert type(raised) is errors.BY_TYPE[name]
    assert (raised.type, raised.status, raised.message, raised.request_id) == (name, 418, "No.", "r-1")


@pytest.mark.parametrize(
    ("status", "kind"),
    [*errors.BY_STATUS.items(), (500, errors.ServerError), (599, errors.ServerError), (418, errors.ApiError)],
)
def test_a_type_of_tomorrow_is_raised_as_its_status(
    scripted: Scripted, status: int, kind: type[errors.ApiError]
) -> None:
    raised = refusal(scripted, status, {"type": "of_tomorrow", "newField": 1})
    assert type(raised) is kind
    assert (raised.type, raised.extras) == ("of_tomorrow", {"newField": 1})


@pytest.mark.parametrize(
    "body", [b"<html>", b"", b"[]", b'{"error": "no"}', b'{"detail": "no"}', b"\xff", b'"\xff"']
)
def test_an_answer_of_somebody_else_is_raised_as_its_status(scripted: Scripted, body: bytes) -> None:
    with pytest.raises(errors.ForbiddenError) as refused:
        scripted(lambda _: httpx.Response(403, content=body)).ping()
    assert (refused.value.type, refused.value.request_id, refused.value.details) == ("", "", [])


def test_a_refusal_says_all_that_the_service_says(scripted: Scripted) -> None:
    raised = refusal(
        scripted,
        400,
        {
            "type": "invalid_request",
            "docUrl": "https://docs/errors#invalid_request",
            "details": [{"field": "slices.0.origin", "message": "Unknown."}],
            "detailsOmitted": 3,
            "safeAfter": "2026-11-20T14:03:22.120Z",
        },
        {"X-RateLimit-Limit": "300", "X-RateLimit-Remaining": "299", "X-RateLimit-Reset": "1763647402"},
    )
    assert isinstance(raised, errors.InvalidRequestError)
    assert raised.details == [errors.Detail("slices.0.origin", "Unknown.")]
    assert raised.doc_url == "https://docs/errors#invalid_request"
    assert raised.extras == {"detailsOmitted": 3, "safeAfter": "2026-11-20T14:03:22.120Z"}
    assert raised.safe_after == datetime(2026, 11, 20, 14, 3, 22, 120_000, UTC)
    assert raised.retry_after == 900.0
    assert raised.response.rate_limit.remaining == 299
    assert str(raised) == "invalid_request (400): No. slices.0.origin: Unknown. [request r-1]"


def test_what_a_type_adds_has_a_name(scripted: Scripted) -> None:
    changed = refusal(
        scripted, 409, {"type": "price_changed", "previousTotalCents": 1, "currentTotalCents": 2}
    )
    poor = refusal(scripted, 402, {"type": "insufficient_funds", "availableCents": 1, "requiredCents": 2})
    narrow = refusal(scripted, 403, {"type": "insufficient_scope", "missingScope": "flights:book"})
    absent = refusal(scripted, 403, {"type": "product_not_offered", "product": "hotels"})
    used = refusal(scripted, 409, {"type": "conflict", "bookingId": "ford_1"})
    assert (changed.previous_total_cents, changed.current_total_cents) == (1, 2)  # type: ignore[attr-defined]
    assert (poor.available_cents, poor.required_cents) == (1, 2)  # type: ignore[attr-defined]
    assert narrow.missing_scope == "flights:book"  # type: ignore[attr-defined]
    assert absent.product == "hotels"  # type: ignore[attr-defined]
    assert used.booking_id == "ford_1"  # type: ignore[attr-defined]


VOUCHER = {"Content-Disposition": 'attachment; filename="voucher-H-7KQ2M9XD.pdf"'}


def test_a_document_is_its_bytes(scripted: Scripted) -> None:
    client = scripted(lambda _: httpx.Response(200, content=b"%PDF\x00\xff", headers=VOUCHER))
    assert client.hotels.bookings.document("hbk_1", type="voucher") == b"%PDF\x00\xff"


def test_the_page_of_a_proxy_is_no_document(scripted: Scripted) -> None:
    client = scripted(lambda _: httpx.Response(200, content=b"<html>"))
    with pytest.raises(errors.UnreadableAnswerError, match="/document answered no file"):
        client.hotels.bookings.document("hbk_1", type="voucher")
