import logging

from apps.accounts.models import Account
from apps.accounts.services.status import make_read_only, stop_sandbox
from apps.common.environments import Environment
from apps.ledger.services.check_ledger import Difference, check_ledger

logger = logging.getLogger(__name__)


def nightly_check() -> list[Difference]:
    """Check the ledger, and make every account whose live figures differ read-only until staff have looked; where those of a test
    environment differ, that one alone.

    Called by beat, and by `manage.py check_ledger --stop-accounts` where there is no broker. A suspended account stays suspended.
    """
    differences = check_ledger()
    for difference in differences:
        logger.critical(
            "Ledger differs: %s of %s (%s), %s: stored %d, derived %d",
            difference.check,
            difference.account_id,
            difference.environment,
            difference.subject,
            difference.stored_cents,
            difference.derived_cents,
        )
    for account_id, environment in sorted({(each.account_id, each.environment) for each in differences}):
        if environment == Environment.TEST:
            stop_sandbox(account_id=account_id)
        else:
            make_read_only(account=Account.objects.get(pk=account_id))
    return differences
