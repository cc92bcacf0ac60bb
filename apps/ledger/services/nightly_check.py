import logging

from django.db.models.functions import Coalesce

from apps.accounts.models import Account
from apps.accounts.services.status import make_read_only
from apps.ledger.services.check_ledger import Difference, check_ledger

logger = logging.getLogger(__name__)


def nightly_check() -> list[Difference]:
    """Check the ledger, and make every account whose figures differ read-only until staff have looked.

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
    differing = {difference.account_id for difference in differences}
    with_figures = Account.objects.filter(pk__in=differing).values(shown=Coalesce("sandbox_of", "pk"))
    for account in Account.objects.filter(pk__in=with_figures):
        make_read_only(account=account)
    return differences
