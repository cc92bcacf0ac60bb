"""Two saved views of the requests, one of them shared; a file that is ready, one that is being written, and one that failed."""

from datetime import timedelta

from apps.accounts.models import Account, User
from apps.common import clock
from apps.portal.exports.models import Export
from apps.portal.saved_views.models import SavedView


def add(account: Account, owner: User) -> dict[str, str]:
    membership = owner.memberships.get(account=account)
    for name, whose in (("Refused for want of funds", membership), ("Errors of a week", None)):
        SavedView.objects.create(
            account=account,
            membership=whose,
            environment="test",
            list="requests",
            name=name,
            query="error_type=insufficient_funds&last=7d" if whose else "last=7d&status=errors",
        )
    for status, refusal in (
        ("ready", ""),
        ("writing", ""),
        ("failed", "Its filters cannot be read any more."),
    ):
        Export.objects.create(
            account=account,
            membership=membership,
            stored_account_id=account.pk,
            environment="test",
            list="requests",
            query="status=errors",
            name="requests-test-2026-11-23",
            status=status,
            refusal=refusal,
            rows=120_000,
            expires_at=clock.now() + timedelta(hours=24),
        )
    return {}
