import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from apps.accounts.models import Sandbox
from apps.accounts.services.limits import set_limits
from apps.accounts.services.status import set_status
from apps.common import clock, redis
from apps.common.counter import Counter
from apps.common.errors import ApiKeyExpired, ApiKeyRevoked, InvalidApiKey
from apps.keys import authentication, key_cache, secrets
from apps.keys.models import KeySecret
from apps.keys.services.change_allowed_ips import change_allowed_ips
from apps.keys.services.end_old_secrets import end_old_secrets
from apps.keys.services.revoke import revoke_key
from apps.keys.services.rotate import rotate_key
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.support.trips import counted_redis_trips

pytestmark = pytest.mark.django_db


def cached_entry(secret: str) -> bytes | None:
    return redis.run(lambda client: client.get(f"key:{secrets.digest(secret)}"))


@pytest.fixture
def journal(django_assert_num_queries, uses_noted_already):
    """`with journal(sql=, trips=)`: exactly that many statements and Redis round trips inside."""

    @contextmanager
    def expect(*, sql: int, trips: int) -> Iterator[None]:
        with django_assert_num_queries(sql), counted_redis_trips() as counted:
            yield
        assert len(counted) == trips

    return expect


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


def test_every_secret_finds_its_own_key_among_others():
    issued = [issued_key(AccountFactory()) for _ in range(3)]

    for ask in (authentication.look_up, authentication.authenticate):
        for key, secret in issued:
            partner = ask(secret)
            assert (partner.key_id, partner.account_id) == (key.id, key.account_id)


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


def test_the_form_of_a_secret_that_the_process_knows_is_not_checked_again(monkeypatch):
    _, secret = issued_key()
    first = authentication.authenticate(secret)
    checked = []
    monkeypatch.setattr(secrets, "is_plausible", lambda text: checked.append(text))

    assert authentication.authenticate(secret) == first
    assert checked == []


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


def test_the_entry_itself_goes_after_sixty_seconds():
    _, secret = issued_key()
    authentication.authenticate(secret)

    seconds = redis.run(lambda client: client.ttl(f"key:{secrets.digest(secret)}"))

    assert 50 <= seconds <= 60


@pytest.mark.django_db(transaction=True)
class TestChangesAreVisibleAtOnce:
    def test_revocation(self):
        key, secret = issued_key()
        authentication.authenticate(secret)
        assert cached_entry(secret) is not None

        revoke_key(key=key)

        assert cached_entry(secret) is None
        with pytest.raises(ApiKeyRevoked):
            authentication.authenticate(secret)

    def test_revocation_of_every_secret_of_the_key(self):
        key, old = issued_key()
        new = rotate_key(key=key)

        revoke_key(key=key)

        for secret in (old, new):
            with pytest.raises(ApiKeyRevoked):
                authentication.authenticate(secret)

    def test_the_early_end_of_an_old_secret(self):
        key, old = issued_key()
        new = rotate_key(key=key)
        for secret in (old, new):
            authentication.authenticate(secret)  # while bypassed, and cached from here on
        redis.run(lambda client: client.delete(*(f"bypass:{secrets.digest(each)}" for each in (old, new))))
        assert authentication.authenticate(old).key_id == authentication.authenticate(new).key_id
        assert cached_entry(old) is not None

        end_old_secrets(key=key)

        assert cached_entry(old) is None
        with pytest.raises(ApiKeyExpired):
            authentication.authenticate(old)
        assert authentication.authenticate(new).key_id == key.id

    def test_revocation_with_a_fill_in_flight(self):
        key, secret = issued_key()
        digest, now = secrets.digest(secret), clock.now()
        missed = key_cache.read(digest, now=now)
        partner = authentication.load(digest)

        revoke_key(key=key)
        key_cache.write(digest, partner, loaded_at=now, generation=missed.generation)

        assert cached_entry(secret) is not None
        with pytest.raises(ApiKeyRevoked):
            authentication.authenticate(secret)

        # Without the bypass that stale entry would be believed: this is what holds the door.
        redis.run(lambda client: client.delete(f"bypass:{digest}"))
        assert authentication.authenticate(secret) == partner

    def test_account_status(self):
        account = AccountFactory()
        _, secret = issued_key(account)
        authentication.authenticate(secret)

        set_status(account=account, status="suspended")

        assert authentication.authenticate(secret).account_status == "suspended"

    def test_limits(self):
        account = AccountFactory()
        _, secret = issued_key(account)
        authentication.authenticate(secret)

        set_limits(account=account, rate_search=None, rate_booking=3, rate_read=None, search_quota=0)

        partner = authentication.authenticate(secret)
        assert (partner.rates, partner.search_quota) == ({"BOOKING": 3}, 0)

    def test_allowed_addresses(self):
        key, secret = issued_key()
        authentication.authenticate(secret)

        change_allowed_ips(key=key, allowed_ips=["203.0.113.7"])

        assert authentication.authenticate(secret).allowed_ips == ("203.0.113.7",)

    def test_while_bypassed_nothing_is_cached(self, journal):
        account = AccountFactory()
        _, secret = issued_key(account)
        set_status(account=account, status="read-only")

        for _ in range(2):
            with journal(sql=1, trips=1):
                authentication.authenticate(secret)


def test_both_secrets_work_through_a_rotation_until_the_old_one_ends(move_clock):
    key, old = issued_key()
    new = rotate_key(key=key, overlap=timedelta(seconds=40))
    assert authentication.authenticate(old).key_id == authentication.authenticate(new).key_id == key.id

    move_clock(seconds=20)
    assert authentication.authenticate(old).key_id == key.id

    move_clock(seconds=21)
    with pytest.raises(ApiKeyExpired):
        authentication.authenticate(old)
    assert authentication.authenticate(new).key_id == key.id


def test_an_expiry_is_kept_by_the_cache_too(journal, move_clock):
    key, secret = issued_key()
    KeySecret.objects.filter(key=key).update(expires_at=clock.now() + timedelta(seconds=20))
    authentication.authenticate(secret)

    move_clock(seconds=21)

    with journal(sql=0, trips=1), pytest.raises(ApiKeyExpired):
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


def test_looking_up_asks_postgresql_alone(journal):
    key, secret = issued_key()

    with journal(sql=1, trips=0):
        assert authentication.look_up(secret).key_id == key.id


class TestCountingWithTheLookUp:
    """The call is counted in the trip that looks the key up, where the process has checked it against the very same entry."""

    def counter(self, limit: int = 5) -> Counter:
        return Counter(f"rate:test:{uuid.uuid4()}", limit, 120, resets_at=0)

    def test_a_known_key_is_counted_in_the_trip_that_finds_it(self, journal):
        _, secret = issued_key()
        authentication.authenticate(secret)
        counter = self.counter(limit=2)

        found = []
        for _ in range(3):
            with journal(sql=0, trips=1):
                found.append(authentication.authenticate_and_count(secret, lambda _: counter)[1])

        assert [(one.admitted, one.used) for one in found if one] == [(True, 1), (True, 2), (False, 2)]

    def test_a_key_that_the_process_does_not_know_is_not_counted(self, monkeypatch):
        _, secret = issued_key()
        authentication.authenticate(secret)
        monkeypatch.setattr(key_cache, "_known", {})
        counter = self.counter()

        assert authentication.authenticate_and_count(secret, lambda _: counter)[1] is None
        assert authentication.authenticate_and_count(secret, lambda _: counter)[1].used == 1

    def test_a_call_without_a_counter_is_not_counted(self):
        _, secret = issued_key()
        authentication.authenticate(secret)

        assert authentication.authenticate_and_count(secret, lambda _: None)[1] is None

    @pytest.mark.django_db(transaction=True)
    def test_a_change_that_another_process_made_is_neither_counted_nor_missed(self, monkeypatch):
        account = AccountFactory()
        _, secret = issued_key(account)
        counter = self.counter()
        known = authentication.authenticate(secret)
        remembered = dict(key_cache._known)
        set_status(account=account, status="suspended")
        redis.run(
            lambda client: client.delete(f"bypass:{secrets.digest(secret)}", f"key:{secrets.digest(secret)}")
        )
        authentication.authenticate(secret)  # as another process, which caches the new state
        monkeypatch.setattr(key_cache, "_known", remembered)

        asked = []
        partner, counted = authentication.authenticate_and_count(
            secret, lambda partner: asked.append(partner) or counter
        )

        assert asked == [known]
        assert (partner.account_status, counted) == ("suspended", None)

    def test_a_secret_that_has_expired_is_not_counted(self, move_clock):
        key, secret = issued_key()
        KeySecret.objects.filter(key=key).update(expires_at=clock.now() + timedelta(seconds=20))
        authentication.authenticate(secret)
        counter = self.counter()
        move_clock(seconds=21)

        with pytest.raises(ApiKeyExpired):
            authentication.authenticate_and_count(secret, lambda _: counter)
        assert redis.run(lambda client: client.get(counter.key)) is None

    @pytest.mark.django_db(transaction=True)
    def test_a_revoked_key_is_refused_though_the_process_knows_it(self):
        key, secret = issued_key()
        authentication.authenticate(secret)
        counter = self.counter()

        revoke_key(key=key)

        with pytest.raises(ApiKeyRevoked):
            authentication.authenticate_and_count(secret, lambda _: counter)
        assert redis.run(lambda client: client.get(counter.key)) is None

    def test_what_the_process_knows_is_bounded(self, monkeypatch):
        monkeypatch.setattr(key_cache, "MAX_KNOWN", 3)
        for _ in range(8):
            authentication.authenticate(issued_key()[1])
        assert len(key_cache._known) <= 3


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
