"""Airalo's orders and usage in our words."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from apps.esim.suppliers.airalo import mapping
from apps.esim.suppliers.airalo.mapping import order_of, paid, profile_of, usage_of
from apps.esim.suppliers.base import EsimOrder, OrderRequest, Profile, Usage
from tests.esim.suppliers.airalo import goods

SIM = {
    "iccid": "8900000000000000001",
    "lpa": "smdp.stub.example",
    "matching_id": "STUB-MATCH-1",
    "qrcode": "LPA:1$smdp.stub.example$STUB-MATCH-1",
}
ORDER = {
    "id": 70001,
    "currency": "USD",
    "package_id": "stubtel-7days-1gb",
    "quantity": "1",
    "price": Decimal("4.5"),
    "net_price": Decimal("3.2"),
    "pricing_model": "net_pricing",
    "sims": [SIM],
}
PROFILE = Profile("8900000000000000001", "smdp.stub.example", "STUB-MATCH-1", SIM["qrcode"])


def test_a_new_order_and_the_same_one_listed_are_alike() -> None:
    expected = EsimOrder("70001", "stubtel-7days-1gb", 320, "USD", PROFILE)
    assert order_of(ORDER, "USD") == expected
    listed = {**ORDER, "net_price": "3.20", "status": {"name": "Completed", "slug": "completed"}}
    assert order_of(listed, "USD") == expected


@pytest.mark.parametrize(
    ("slug", "cancelled", "failed"),
    [("completed", False, False), ("refunded", True, False), ("failed", False, True), (None, False, False)],
)
def test_a_refunded_order_no_longer_stands_and_a_failed_one_never_did(slug, cancelled, failed):
    order = order_of({**ORDER, "status": {"slug": slug}}, "USD")
    assert (order.cancelled, order.failed) == (cancelled, failed)


@pytest.mark.parametrize(
    ("order", "amount"),
    [
        ({"net_price": "3.2", "price": "4.5"}, "3.2"),
        ({"pricing_model": "net_pricing", "net_price": "3.2", "unit_paid_price": "9"}, "3.2"),
        ({"pricing_model": "discount_pricing", "net_price": "3.2", "unit_paid_price": "3.9"}, "3.9"),
        ({"pricing_model": "discount_pricing", "total_amount_paid": "3.8", "price": "4.5"}, "3.8"),
        ({"price": 4}, "4"),
    ],
)
def test_what_we_paid(order: dict[str, Any], amount: str) -> None:
    assert paid(order) == Decimal(amount)


def test_an_order_that_names_no_price_cannot_be_read() -> None:
    with pytest.raises(ValueError, match="without a price"):
        paid({"net_price": None, "price": None})


def test_what_only_the_qr_code_says_is_read_from_it() -> None:
    code = "LPA:1$smdp.stub.example$STUB-MATCH-1$1.3.6.1$1"
    profile = profile_of({"iccid": "8900000000000000001", "qrcode": code, "lpa": None})
    assert (profile.smdp_address, profile.matching_id, profile.lpa) == (
        "smdp.stub.example",
        "STUB-MATCH-1",
        code,
    )


def test_a_profile_that_asks_for_a_code_says_so_in_its_activation_code() -> None:
    asks = {**SIM, "qrcode": f"{SIM['qrcode']}$$1", "confirmation_code": 5751}
    profile = profile_of(asks)
    assert (profile.lpa, profile.confirmation_code) == ("LPA:1$smdp.stub.example$STUB-MATCH-1$$1", "5751")
    assert profile.matching_id == "STUB-MATCH-1"
    assert profile_of({**asks, "qrcode": None}).lpa == profile.lpa
    assert profile_of(SIM).confirmation_code == ""


def test_the_address_for_iphones_is_theirs_or_apples_own_form() -> None:
    theirs = "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA:1$host$id"
    assert profile_of({**SIM, "direct_apple_installation_url": theirs}).apple_installation_url == theirs
    for none in (None, "", 7, "javascript:alert(1)", ["https://x"]):
        profile = profile_of({**SIM, "direct_apple_installation_url": none})
        assert profile.apple_installation_url == (
            "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=LPA:1$smdp.stub.example$STUB-MATCH-1"
        )


@pytest.mark.parametrize("number", ["", "70001a", 10**255, None])
def test_an_order_under_a_number_that_cannot_be_kept_is_unreadable(number: object) -> None:
    with pytest.raises(ValueError, match=r"number|name"):
        order_of({**ORDER, "id": number}, "USD")


@pytest.mark.parametrize("missing", ["iccid", "lpa"])
def test_an_esim_that_nobody_can_install_is_unreadable(missing: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        profile_of({**SIM, "qrcode": None, missing: ""})


USED = {
    "remaining": 767,
    "total": 1024,
    "expired_at": "2026-12-01 10:00:00",
    "is_unlimited": False,
    "status": "ACTIVE",
}
VALID_UNTIL = datetime(2026, 12, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("NOT_ACTIVE", "not_installed"),
        ("ACTIVE", "active"),
        ("FINISHED", "depleted"),
        ("EXPIRED", "expired"),
        ("RECYCLED", "expired"),
        ("UNKNOWN", None),
        ("SOMETHING_NEW", None),
        (None, None),
    ],
)
def test_each_status_of_use(theirs: str | None, ours: str | None) -> None:
    assert usage_of({**USED, "status": theirs}).status == ours


def test_a_rest_above_the_total_is_nothing_used_and_no_date_is_none() -> None:
    assert usage_of({**USED, "remaining": 2000, "expired_at": None}) == Usage("active", 1024, 0, None)


@pytest.mark.parametrize(
    ("asked", "sent"),
    [("en", "en"), ("de", "de"), ("es", "es-ES"), ("es-419", "es-419"), ("sv", "sv-SE"), ("sr", "sr-CS"), ("hu", "hun"),
     ("hy", "hy-AM"), ("ur", "ur-PK"), ("pt-BR", "pt-BR"), ("no", "nb"), ("zh-Hant", "zh-TW")],
)  # fmt: skip
def test_a_language_is_asked_for_by_their_code_and_answered_by_ours(
    stub, airalo, asked: str, sent: str
) -> None:
    order = airalo.order(OrderRequest("E-7KQ2M9XD", "stubtel-7days-1gb", 320))
    found = airalo.instructions(order.supplier_reference, order.profile.iccid, asked)
    assert stub.heard_by("GET", "/sims/{iccid}/instructions")[-1].headers["accept-language"] == sent
    assert sent in goods.LANGUAGES
    assert found.language == asked


def test_every_code_that_we_send_is_one_of_theirs() -> None:
    assert set(mapping.LANGUAGES.values()) <= goods.LANGUAGES


@pytest.mark.parametrize(
    ("answered", "asked", "language"),
    [
        ("EN", "de", "en"),
        ("", "de", "de"),
        ("DE", "de", "de"),
        ("ES", "es", "es"),
        ("HUN", "hu", "hu"),
        ("ES-419", "en", "es-419"),
    ],
)
def test_what_they_answer_in_is_what_is_said(answered: str, asked: str, language: str) -> None:
    assert mapping.language_of(answered, asked) == language
