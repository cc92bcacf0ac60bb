"""Who is signed in without the forms is as those whom Django and allauth have signed in."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.utils import decrypt

from apps.accounts.models import User
from apps.common import clock
from tests.factories.accounts import UserFactory
from tests.portal.person import TOTP_SECRET, Person, set_up_two_factor

pytestmark = pytest.mark.django_db

THEIR_OWN = {"_auth_user_id", "_auth_user_hash"}
OF_ALLAUTH = {"account_authentication_methods_user", "account_authentication_methods"}


def test_a_session_is_as_django_begins_one(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    ours, djangos = Person(UserFactory()).sign_in(), Person(UserFactory())
    djangos.client.force_login(djangos.user)
    made, begun = (dict(person.client.session.items()) for person in (ours, djangos))
    assert made.keys() - begun.keys() == OF_ALLAUTH
    assert begun.keys() - made.keys() == set()
    shared = begun.keys() - THEIR_OWN
    assert len(shared) == 2
    assert {name: made[name] for name in shared} == {name: begun[name] for name in shared}
    assert made["_auth_user_id"] == str(ours.user.pk)
    assert made["_auth_user_hash"] == ours.user.get_session_auth_hash()
    assert User.objects.get(pk=ours.user.pk).last_login == ours.user.last_login == now


def test_two_factor_is_as_allauth_sets_it_up() -> None:
    ours, allauths = UserFactory(), UserFactory()
    set_up_two_factor(ours)
    TOTP.activate(allauths, TOTP_SECRET)
    RecoveryCodes.activate(allauths)
    made, activated = (
        {row.type: row for row in Authenticator.objects.filter(user=user)} for user in (ours, allauths)
    )
    assert len(made) == 2
    assert {type: row.data.keys() for type, row in made.items()} == {
        type: row.data.keys() for type, row in activated.items()
    }
    assert decrypt(made["totp"].data["secret"]) == TOTP_SECRET
    assert len(RecoveryCodes(made["recovery_codes"]).get_unused_codes()) == 10
