"""The picture of the activation code, at an address that nobody guesses."""

from urllib.parse import urlsplit

import pytest
from django.test import Client

from apps.esim import qr
from apps.esim.models import Plan
from apps.esim.qr import qr_svg
from tests.esim.shop import an_order, the_order
from tests.support.api import Api


def path_of(order: dict) -> str:
    return urlsplit(order["activation"]["qrSvgUrl"]).path


def test_the_picture_needs_no_key_and_shows_the_activation_code(api: Api, plan: Plan) -> None:
    order = an_order(api, plan)
    response = Client().get(path_of(order))
    assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
    assert response.content == qr_svg(order["activation"]["lpa"])
    assert response["Content-Security-Policy"] == "default-src 'none'"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert Client().post(path_of(order)).status_code == 405


@pytest.mark.parametrize(
    "spoil",
    [
        lambda token: token[:-1],
        lambda token: token.swapcase(),
        lambda token: token.partition(".")[0],
        lambda token: token.partition(".")[0] + ".",
        lambda token: "eord_01kb2c0000000000000000000a." + token.partition(".")[2],
        lambda token: "x",
    ],
)
def test_a_made_up_address_finds_nothing(api: Api, plan: Plan, spoil) -> None:
    token = path_of(an_order(api, plan)).removeprefix("/esim/qr/").removesuffix(".svg")
    assert Client().get(f"/esim/qr/{token}.svg").status_code == 200
    assert Client().get(f"/esim/qr/{spoil(token)}.svg").status_code == 404


def test_an_order_without_a_profile_has_no_picture(api: Api, plan: Plan) -> None:
    order = an_order(api, plan)
    booking = the_order(order["id"])
    booking.details["profile"] = None
    booking.save()
    assert Client().get(path_of(order)).status_code == 404


def test_an_address_outlives_a_rotation_while_its_key_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    old = qr._signer.key
    token = qr._signer.sign("eord_1")
    monkeypatch.setattr(qr._signer, "key", "a new key")
    monkeypatch.setattr(qr._signer, "fallback_keys", [old])
    assert qr._signer.unsign(token) == "eord_1"
    assert qr._signer.sign("eord_1") != token
    monkeypatch.setattr(qr._signer, "fallback_keys", [])
    assert qr.activation_code(token) is None
