"""What a password may be: twelve characters and more, and more than names that others know."""

import secrets

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from apps.accounts.invitations import invite
from apps.accounts.models import User
from apps.onboarding.partners import Terms, onboard_partner
from tests.factories.accounts import AccountFactory, MembershipFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    user = UserFactory(email="ana.hofstetter@wanderlust-tours.example", first_name="Ana", last_name="Büchi")
    return MembershipFactory(user=user, account__name="Aurora Borealis Travel GmbH").user


def refused_as(password: str, user: User | None = None) -> list[str]:
    try:
        validate_password(password, user)
    except ValidationError as refusal:
        return [error.code for error in refusal.error_list]
    return []


@pytest.mark.parametrize(
    "password", ["lilies+glass", "nine lilies under glass", "xK4-p0Zq9!vv", "ガラスの下に九つの百合がある"]
)
def test_twelve_characters_and_more_are_taken(person, password):
    assert refused_as(password, person) == []


@pytest.mark.parametrize("password", ["", "lilies+glas", "9x!Kp0Zq-vv"])
def test_less_is_refused(person, password):
    assert "password_too_short" in refused_as(password, person)


@pytest.mark.parametrize(
    "password",
    [
        "travelpartner2026",
        "TravelPartnerAPI!1",
        "Travel-Partner-2026!",
        "tr4velp4rtner2026",
        "AuroraBorealis26",
        "aurora borealis travel gmbh",
        "Aur0ra Tr4vel 2026",
        "wanderlust-tours",
        "ana.hofstetter1",
        "hofstetter-büchi",
        "partner-portal-password",
    ],
)
def test_names_that_others_know_make_no_password(person, password):
    assert "password_of_names" in refused_as(password, person)


@pytest.mark.parametrize(
    "password", ["aurora sings to nine lilies", "my travel partner is a purple cow", "ana-7hk2-w9qp-3xzt"]
)
def test_a_name_may_stand_in_a_password_that_is_long_without_it(person, password):
    assert refused_as(password, person) == []


def test_the_names_of_others_are_none(person):
    AccountFactory(name="Nine Lilies")
    assert refused_as("nine-lilies-glass", person) == []


def test_who_is_invited_may_not_choose_the_name_of_the_account():
    account = AccountFactory(name="Aurora Borealis")
    invite(account=account, email="new@elsewhere.example", role="viewer")
    stranger, invited = User(email="other@elsewhere.example"), User(email="New@elsewhere.example")
    assert refused_as("aurora-borealis-26", stranger) == []
    assert refused_as("aurora-borealis-26", invited) == ["password_of_names"]


def test_a_password_from_before_keeps_working(client):
    user = UserFactory(email="old@partner.example", password="short")
    answer = client.post("/account/login/", {"login": user.email, "password": "short"})
    assert answer.status_code == 302


def test_what_is_made_for_a_new_partner_complies(monkeypatch):
    made = onboard_partner(Terms(name="Aurora Travel", currency="EUR", balance_cents=0))
    owner = User.objects.get(email=made.portal_email)
    assert refused_as(made.portal_password, owner) == []
    assert refused_as(secrets.token_urlsafe(16), owner) == []
