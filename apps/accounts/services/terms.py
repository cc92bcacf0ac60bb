"""The terms of an account: its name, its markup, its own limits. Staff change them, and the audit trail records it."""

from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.models import Account, AuditAction
from apps.accounts.services.audit import record
from apps.accounts.services.change import change
from apps.accounts.services.sandboxes import name_rows_after


@transaction.atomic
def change_terms(*, account: Account, actor: Actor, **terms: object) -> None:
    """Set `terms` on `account`; the audit trail records what they were before. The caller has checked them."""
    before = Account.objects.values(*terms).get(pk=account.pk)
    change(account, **terms)
    if terms.get("name", before.get("name")) != before.get("name"):
        name_rows_after(account)
    changes = {name: [before[name], terms[name]] for name in terms if before[name] != terms[name]}
    if changes:
        record(account=account, action=AuditAction.TERMS_CHANGED, actor=actor, details={"changes": changes})
