"""Passkeys without a browser: what is refused, and what is never asked of whom. tests/browser/test_passkeys.py uses them."""

import json

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client, RequestFactory

from apps.portal.sign_in.passkeys import are_possible
from tests.portal.person import Person, enters, remove_two_factor

pytestmark = pytest.mark.django_db
ADD, SIGN_IN, CODE = "/account/passkeys/add/", "/account/passkeys/sign-in/", "/account/two-factor/code/"
ODD = [
    "",
    "x",
    "[]",
    "7",
    "null",
    "{}",
    '{"id": 1, "rawId": "AA", "type": "public-key", "response": {}}',
    json.dumps(
        {
            "id": "AA",
            "rawId": "AA",
            "type": "public-key",
            "response": {"clientDataJSON": "AA", "userHandle": "AA"},
        }
    ),
    json.dumps({"response": {"userHandle": "9" * 400}}),
    '{"id": "\\u0000"}',
    "[" * 3_000,
]


@pytest.mark.parametrize("credential", ODD)
def test_a_credential_that_no_browser_makes_is_refused(portal: Person, credential: str) -> None:
    assert portal.get(ADD).status_code == 200
    assert portal.post(ADD, {"name": "Laptop", "credential": credential}).status_code == 200
    anybody = Client()
    assert set(anybody.get(SIGN_IN).json()) == {"publicKey"}
    assert anybody.post(SIGN_IN, {"credential": credential})["Location"] == "/account/login/"
    assert not Authenticator.objects.filter(type="webauthn").exists()


@pytest.mark.parametrize("credential", ODD[1:6])
def test_an_odd_credential_in_the_place_of_the_code_is_refused(member: Person, credential: str) -> None:
    member.client = Client()
    enters(member.client, member)
    assert member.post(CODE, {"credential": credential}).status_code == 200
    assert member.get("/portal/test/")["Location"].startswith("/account/login/")


def test_the_options_of_a_sign_in_name_nobody(portal: Person) -> None:
    options = Client().get(SIGN_IN).json()["publicKey"]
    assert (options["userVerification"], options["rpId"]) == ("required", "testserver")
    assert options["allowCredentials"] == []


def test_who_has_no_passkey_is_offered_none_beside_the_code(member: Person) -> None:
    member.client = Client()
    enters(member.client, member)
    assert "Use a passkey" not in member.get(CODE).content.decode()


def test_a_person_has_so_many_at_most(portal: Person, monkeypatch) -> None:
    monkeypatch.setattr("apps.portal.sign_in.passkeys.MOST", 0)
    assert "You have 0 passkeys" in portal.post(ADD, {"credential": "{}"}).content.decode()


def test_a_passkey_alone_is_two_factors(portal: Person) -> None:
    remove_two_factor(portal.user)
    assert portal.get("/portal/test/")["Location"] == "/account/two-factor/set-up/"
    Authenticator.objects.create(user=portal.user, type="webauthn", data={"name": "Laptop"})
    assert portal.get("/portal/test/").status_code == 200


@pytest.mark.parametrize(
    ("host", "possible"),
    [
        ("localhost:8000", True),
        ("portal.example", True),
        ("127.0.0.1:8000", False),
        ("127.0.0.1", False),
        ("[::1]:8000", False),
    ],
)
def test_an_address_has_no_passkeys(host: str, possible: bool, settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    assert are_possible(RequestFactory().get("/", headers={"host": host})) is possible
