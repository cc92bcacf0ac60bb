from datetime import timedelta

import pytest

from apps.accounts.models import Sandbox
from apps.accounts.terms import set_status
from apps.common import clock, redis
from apps.common.errors import ApiKeyExpired, ApiKeyRevoked, InvalidApiKey
from apps.keys import authentication, secrets
from apps.keys.models import KeySecret
from apps.keys.services import revoke_key, rotate_key
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key

pytestmark = pytest.mark.django_db


def test_the_partner_is_who_the_secret_belongs_to():
    account = AccountFactory(currency="JPY", markup_bp=250, rate_search=7, search_quota=9)
    key, secret = issued_key(account, scopes=["esim:read"], allowed_ips=["203.0.113.0/24"])

    first, again = authentication.authenticate(secret), authentication.authenticate(secret)

    assert (first.account_id, first.account_status, first.key_id) == (account.id, "active", key.id)
    assert (first.environment, first.scopes) == ("test", frozenset({"esim:read"}))
    assert (first.allowed_ips, first.currency, first.markup_bp) == (("203.0.113.0/24",), "JPY", 250)
    assert (first.rates, first.search_quota, first.secret_expires_at) == ({"SEARCH": 7}, 9, None)
    assert first.clock_offset == timedelta(0)
    assert again == first


def test_the_key_of_a_further_test_environment_has_its_terms_from_the_partner():
    partner = AccountFactory(currency="JPY", markup_bp=250, rate_search=7)
    apart = AccountFactory(currency="JPY", sandbox_of=partner)
    Sandbox.objects.create(
        account=apart, owner=partner, name="CI", clock_offset=timedelta(days=2), faults={"latencyMs": 5}
    )
    _, secret = issued_key(apart)

    first, again = authentication.authenticate(secret), authentication.authenticate(secret)

    assert (first.account_id, first.owner_id, first.shown_account_id) == (apart.id, partner.id, partner.id)
    assert (first.markup_bp, first.rates, first.faults) == (250, {"SEARCH": 7}, {"latencyMs": 5})
    assert first.clock_offset == timedelta(days=2)
    assert again == first

    set_status(account=partner, status="suspended")
    assert authentication.authenticate(secret).account_status == "suspended"


def test_a_live_key_never_has_a_clock_of_its_own():
    account = AccountFactory(live_approved_until=clock.now() + timedelta(days=1))
    Sandbox.objects.create(
        account=account, owner=account, name="Sandbox", is_first=True, clock_offset=timedelta(days=2)
    )

    assert authentication.authenticate(issued_key(account)[1]).clock_offset == timedelta(days=2)
    live = authentication.authenticate(issued_key(account, environment="live")[1])
    assert (live.clock_offset, live.faults) == (timedelta(0), {})


def test_the_partner_says_which_secret_was_sent_cached_or_not():
    key, old = issued_key()
    new = rotate_key(key=key)
    ids = dict(key.secrets.values_list("digest", "id"))

    for secret in (old, new):
        found = [authentication.authenticate(secret).secret_id, authentication.authenticate(secret).secret_id]
        assert found == [ids[secrets.digest(secret)]] * 2


def test_a_refusal_knows_whose_secret_it_was():
    key, secret = issued_key()
    revoke_key(key=key)

    with pytest.raises(ApiKeyRevoked) as refusal:
        authentication.authenticate(secret)

    assert refusal.value.owner.key_id == key.id


def test_a_hit_is_one_round_trip_and_a_miss_one_statement_more(journal):
    _, secret = issued_key()

    with journal(sql=1, trips=2):
        authentication.authenticate(secret)
    with journal(sql=0, trips=1):
        authentication.authenticate(secret)


@pytest.mark.parametrize("junk", ["", "svc_test_", "nonsense", "svc_live_" + "0" * 38])
def test_junk_is_refused_without_asking_anybody(junk, journal):
    with journal(sql=0, trips=0), pytest.raises(InvalidApiKey):
        authentication.authenticate(junk)


def test_a_plausible_secret_that_was_never_issued_is_refused_and_not_cached(journal):
    secret = secrets.make("live")

    for _ in range(2):
        with journal(sql=1, trips=1), pytest.raises(InvalidApiKey):
            authentication.authenticate(secret)


def test_an_entry_is_not_believed_after_sixty_seconds(journal, move_clock):
    _, secret = issued_key()
    authentication.authenticate(secret)

    move_clock(seconds=61)

    with journal(sql=1, trips=2):
        authentication.authenticate(secret)
    with journal(sql=0, trips=1):
        authentication.authenticate(secret)


@pytest.mark.parametrize("cached", [True, False])
def test_a_secret_works_up_to_its_expiry_and_not_at_it(monkeypatch, cached: bool):
    key, secret = issued_key()
    ends = clock.now() + timedelta(seconds=20)
    KeySecret.objects.filter(key=key).update(expires_at=ends)
    if cached:
        authentication.authenticate(secret)

    monkeypatch.setattr(clock, "_database_now", lambda: ends - timedelta(microseconds=1))
    assert authentication.look_up(secret).key_id == authentication.authenticate(secret).key_id == key.id
    monkeypatch.setattr(clock, "_database_now", lambda: ends)
    for ask in (authentication.authenticate, authentication.look_up):
        with pytest.raises(ApiKeyExpired):
            ask(secret)


def test_a_key_that_is_revoked_and_expired_is_revoked():
    key, secret = issued_key()
    rotate_key(key=key, overlap=timedelta(0))
    revoke_key(key=key)

    with pytest.raises(ApiKeyRevoked):
        authentication.authenticate(secret)


class TestClockOfASandbox:
    """Keys end by the clock of their sandbox."""

    AHEAD = timedelta(hours=2)

    @pytest.fixture
    def moved(self):
        """A key of a sandbox that is two hours ahead, and its secret."""
        account = AccountFactory()
        Sandbox.objects.create(account=account, owner=account, name="Ahead", clock_offset=self.AHEAD)
        return issued_key(account=account)

    @pytest.mark.parametrize("ask", [authentication.authenticate, authentication.look_up])
    def test_a_secret_ends_by_it(self, moved, ask):
        key, secret = moved
        now = clock.now()
        KeySecret.objects.filter(key=key).update(expires_at=now + self.AHEAD + timedelta(minutes=1))
        assert ask(secret).key_id == key.id
        KeySecret.objects.filter(key=key).update(expires_at=now + self.AHEAD - timedelta(minutes=1))
        redis.run(lambda client: client.flushdb())
        with pytest.raises(ApiKeyExpired):
            ask(secret)

    def test_its_last_use_is_told_in_it(self, moved):
        key, secret = moved
        before = clock.now()
        authentication.authenticate(secret)
        key.refresh_from_db()
        assert before + self.AHEAD <= key.last_used_at <= clock.now() + self.AHEAD
