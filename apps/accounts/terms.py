"""An account's row: opened, its terms and limits, and its status, which says what it may do at all (contract §2, step 8)."""

from django.db import transaction

from apps.accounts.actors import AUTOMATIC, SUPPORT, Actor
from apps.accounts.audit import Subject, record
from apps.accounts.models import Account, AccountStatus, AuditAction, Sandbox
from apps.accounts.sandboxes import lock_sandbox, name_rows_after
from apps.accounts.signals import account_changed, sandbox_changed
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict, InvalidRequest
from apps.common.money import is_currency

MAX_NAME_LENGTH = 255
NO_NAME = f"A name has 1 to {MAX_NAME_LENGTH} printable characters."

MAX_LIMIT = 2_147_483_647


def create_account(*, name: str, currency: str) -> Account:
    """A new active account. Raises InvalidRequest for an empty name or an unknown currency."""
    name = name.strip()
    if not is_name(name):
        raise InvalidRequest.field("name", NO_NAME)
    if not is_currency(currency):
        raise InvalidRequest.field("currency", f"{currency!r} is not an ISO 4217 currency.")
    return Account.objects.create(name=name, currency=currency)


def is_name(name: str) -> bool:
    """Whether an account can be called so: in one line, because subjects of mails name it."""
    return 1 <= len(name) <= MAX_NAME_LENGTH and name.isprintable()


@transaction.atomic
def change(account: Account, **fields: object) -> None:
    """Set `fields` on `account`, in memory and in PostgreSQL. The caller has checked them."""
    for name, value in fields.items():
        setattr(account, name, value)
    account.save(update_fields=[*fields, "updated_at"])
    account_changed.send(sender=Account, account=account)


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


@transaction.atomic
def require_four_eyes(*, account: Account, required: bool, actor: Actor) -> None:
    """Whether people may not approve bookings of keys that they issued. In force with the next decision. `account` is the
    partner's own row. The value that it has already is not written again.
    """
    locked = Account.objects.select_for_update(no_key=True).get(pk=account.pk)
    if locked.approval_four_eyes == required:
        return
    change(account, approval_four_eyes=required)
    record(account=account, action=AuditAction.FOUR_EYES_CHANGED, actor=actor, details={"required": required})


def set_limits(
    *,
    account: Account,
    rate_search: int | None,
    rate_booking: int | None,
    rate_read: int | None,
    search_quota: int | None,
    actor: Actor = SUPPORT,
) -> None:
    """Requests a minute by class, searches a UTC day; None means the deployment's default.

    Raises InvalidRequest for a limit out of bounds.
    """
    limits = {
        "rate_search": rate_search,
        "rate_booking": rate_booking,
        "rate_read": rate_read,
        "search_quota": search_quota,
    }
    wrong = [name for name, limit in limits.items() if limit is not None and not 0 <= limit <= MAX_LIMIT]
    if wrong:
        raise InvalidRequest(
            details=[{"field": name, "message": f"A limit is between 0 and {MAX_LIMIT}."} for name in wrong]
        )
    change_terms(account=account, actor=actor, **limits)


@transaction.atomic
def set_status(*, account: Account, status: str, actor: Actor = SUPPORT) -> None:
    """Set `active`, `read-only` or `suspended`, in force with the next call; `active` also for its sandboxes that were stopped.

    Raises InvalidRequest for any other.
    """
    if status not in AccountStatus.values:
        raise InvalidRequest.field("status", f"{status!r} is not one of {', '.join(AccountStatus.values)}.")
    account.refresh_from_db(fields=["status"], from_queryset=Account.objects.select_for_update(no_key=True))
    if status == AccountStatus.ACTIVE:
        for sandbox in (
            Sandbox.objects.select_for_update(no_key=True).filter(owner=account).exclude(stopped_at=None)
        ):
            sandbox.stopped_at = None
            sandbox.save(update_fields=["stopped_at"])
            _record_of(sandbox, AuditAction.SANDBOX_STARTED, actor)
    _put(account, account.status, AccountStatus(status), actor)


@transaction.atomic
def stop_sandbox(*, account_id: str) -> bool:
    """Make the test environment that is stored under `account_id` read-only until staff have looked. Live and the account's
    other sandboxes continue. Returns False where it was so already, or is no longer in use.
    """
    try:
        sandbox = lock_sandbox(account_id)
    except Conflict:
        return False
    if sandbox.stopped_at is not None:
        return False
    sandbox.stopped_at = clock.now()
    sandbox.save(update_fields=["stopped_at"])
    sandbox_changed.send(sender=Sandbox, account_id=account_id)
    _record_of(sandbox, AuditAction.SANDBOX_STOPPED, AUTOMATIC)
    return True


@transaction.atomic
def make_read_only(*, account: Account) -> bool:
    """Make an active account read-only until staff have looked. Returns False where it was not active any more."""
    rows = Account.objects.select_for_update(no_key=True)  # bookings under way refer to the row, and continue
    if not rows.filter(id=account.id, status=AccountStatus.ACTIVE).exists():
        return False
    _put(account, AccountStatus.ACTIVE, AccountStatus.READ_ONLY, AUTOMATIC)
    return True


def _put(account: Account, before: str, status: AccountStatus, actor: Actor) -> None:
    change(account, status=status)
    if before != status:
        record(
            account=account,
            action=AuditAction.STATUS_CHANGED,
            actor=actor,
            details={"before": str(before), "after": str(status)},
        )


def _record_of(sandbox: Sandbox, action: AuditAction, actor: Actor) -> None:
    record(
        account=sandbox.owner_id,
        environment=Environment.TEST,
        action=action,
        actor=actor,
        subject=Subject("sandbox", sandbox.account_id, sandbox.name),
    )
