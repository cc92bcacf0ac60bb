"""Money for a test environment, which its partner adds by itself."""

from django.db import transaction

from apps.accounts.actors import SUPPORT, Actor
from apps.accounts.models import FIRST_NAME, AuditAction, Sandbox
from apps.accounts.services import audit
from apps.common.environments import Environment
from apps.common.errors import InvalidRequest
from apps.ledger.models import MOST_CENTS
from apps.ledger.selectors import Balance, balance_of
from apps.ledger.services.open_wallet import open_wallet
from apps.ledger.services.top_up import top_up
from apps.ledger.trace import Trace

MOST_AT_ONCE_CENTS = 10**10


@transaction.atomic
def add_test_funds(
    *, account_id: str, currency: str, amount_cents: int, reference: str, trace: Trace, actor: Actor = SUPPORT
) -> Balance:
    """The test wallet's balance afterwards. `reference` names this call: it is credited once, however often it is repeated.

    Raises InvalidRequest for an amount out of bounds, and for one with which the balance would be above what a wallet may hold.
    """
    if not 1 <= amount_cents <= MOST_AT_ONCE_CENTS:
        raise InvalidRequest.field("amountCents", f"An amount is between 1 and {MOST_AT_ONCE_CENTS}.")
    open_wallet(account_id=account_id, environment=Environment.TEST, currency=currency)
    if balance_of(account_id, Environment.TEST).balance_cents > MOST_CENTS - amount_cents:
        raise InvalidRequest.field("amountCents", f"A test wallet holds at most {MOST_CENTS}.")
    added = top_up(
        account_id=account_id,
        environment=Environment.TEST,
        amount_cents=amount_cents,
        currency=currency,
        reference=f"sandbox:{account_id}:{reference}",
        trace=trace,
    )
    if added:
        _record(account_id, actor, amountCents=amount_cents, currency=currency)
    return balance_of(account_id, Environment.TEST)


def _record(account_id: str, actor: Actor, **details: object) -> None:
    name = Sandbox.objects.filter(account=account_id).values_list("name", flat=True).first()
    audit.record(
        account=account_id,
        environment=Environment.TEST,
        action=AuditAction.SANDBOX_FUNDED,
        actor=actor,
        subject=audit.Subject("sandbox", account_id, name or FIRST_NAME),
        details=details,
    )
