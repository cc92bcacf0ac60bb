from datetime import timedelta

from apps.accounts.actors import actor_of
from apps.accounts.models import Account, User
from apps.common.environments import Environment
from apps.keys.services import revoke_key, rotate_key
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory


def add(account: Account, owner: User) -> dict[str, str]:
    """A balance, and three test keys: active, rotating, revoked."""
    actor = actor_of(owner)
    WalletFactory(account=account, environment=Environment.TEST, cents=1_250_000)
    key, _ = issued_key(account, name="Web shop", actor=actor)
    rotating, _ = issued_key(
        account, name="Booking engine", actor=actor, allowed_ips=["203.0.113.0/24", "198.51.100.7"]
    )
    rotate_key(key=rotating, overlap=timedelta(hours=20), actor=actor)
    revoked, _ = issued_key(account, name="Old server", actor=actor)
    revoke_key(key=revoked, actor=actor)
    return {"key": key.id, "rotating_key": rotating.id, "revoked_key": revoked.id}
