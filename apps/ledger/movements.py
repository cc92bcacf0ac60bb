"""Top-ups and adjustments by staff: one person proposes, a second one confirms, and only then money moves.

Test money is worth nothing: one person moves it.

Locks are taken movement first, then the wallet.
"""

import logging
from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.common import clock
from apps.common.environments import Environment
from apps.common.errors import Conflict, InvalidRequest
from apps.ledger.models import MOST_CENTS, MovementState, MovementType, StaffMovement, Wallet
from apps.ledger.money import Trace, adjust, top_up

logger = logging.getLogger(__name__)

EXPIRES_AFTER = timedelta(days=7)


def propose(
    *,
    wallet: Wallet,
    type: str,
    amount_cents: int,
    evidence: str,
    reason: str,
    proposed_by: User,
    description: str = "",
) -> StaffMovement:
    """Propose a movement to a second person; nothing moves.

    Raises InvalidRequest for an amount that the type does not allow, Conflict for an arrival of money that was proposed or
    credited before, to any wallet.
    """
    _staff_only(proposed_by)
    asked = StaffMovement(
        wallet=wallet,
        type=type,
        amount_cents=amount_cents,
        evidence=evidence,
        reason=reason,
        description=description,
        proposed_by=proposed_by,
    )
    return _written(asked)


@transaction.atomic
def move_test_money(
    *,
    wallet: Wallet,
    type: str,
    amount_cents: int,
    reason: str,
    moved_by: User,
    evidence: str = "",
    description: str = "",
) -> StaffMovement:
    """Move money of a test wallet at once. Without evidence the movement's own id stands for it.

    Raises InvalidRequest for a live wallet, and what `propose` and `confirm` raise.
    """
    _staff_only(moved_by)
    if wallet.environment != Environment.TEST:
        raise InvalidRequest.field("wallet", "A second person has to confirm live money.")
    movement = StaffMovement(
        wallet=wallet,
        type=type,
        amount_cents=amount_cents,
        reason=reason,
        description=description,
        proposed_by=moved_by,
        state=MovementState.CONFIRMED,
        decided_by=moved_by,
        decided_at=clock.now(),
        is_test=True,
    )
    movement.evidence = evidence or movement.id
    _written(movement)
    _move(movement)
    logger.info("%s: moved by %s", movement, moved_by.pk)
    return movement


@transaction.atomic
def confirm(*, movement_id: str, confirmed_by: User) -> bool:
    """Move the money, as a second person. Returns True when this call moved it, False when it was confirmed before.

    Raises PermissionDenied for the person who proposed it, Conflict once it was refused or has expired, and InsufficientFunds
    where an adjustment would take what is held or spent: it then stays proposed.
    """
    movement = _locked(movement_id)
    _second_person(movement, confirmed_by)
    if movement.state == MovementState.CONFIRMED:
        return False
    _still_proposed(movement)
    _move(movement)
    _decide(movement, MovementState.CONFIRMED, by=confirmed_by)
    logger.info("%s: proposed by %s, confirmed by %s", movement, movement.proposed_by_id, confirmed_by.pk)
    return True


@transaction.atomic
def refuse(*, movement_id: str, refused_by: User, reason: str) -> None:
    """Refuse it, as a second person: nothing moves. Raises PermissionDenied and Conflict as `confirm` does."""
    movement = _locked(movement_id)
    _second_person(movement, refused_by)
    _still_proposed(movement)
    _decide(movement, MovementState.REFUSED, by=refused_by, refusal=reason)


def expire_old() -> int:
    """Expire the proposals that were not decided within a week. Returns how many."""
    now = clock.now()
    old = StaffMovement.objects.filter(state=MovementState.PROPOSED, proposed_at__lte=now - EXPIRES_AFTER)
    return old.update(state=MovementState.EXPIRED, decided_at=now)


def _written(movement: StaffMovement) -> StaffMovement:
    """Raises InvalidRequest for what no movement is, Conflict for an arrival that another one was made on."""
    if movement.type not in MovementType.values:
        raise InvalidRequest.field(
            "type", f"{movement.type!r} is not one of {', '.join(MovementType.values)}."
        )
    amount_cents = movement.amount_cents
    wrong = amount_cents == 0 or (movement.type == MovementType.TOP_UP and amount_cents < 0)
    if wrong or abs(amount_cents) > MOST_CENTS:
        raise InvalidRequest.field(
            "amount_cents", f"A top-up is above zero, an adjustment not zero, and neither above {MOST_CENTS}."
        )
    try:
        with transaction.atomic():
            movement.save(force_insert=True)
    except IntegrityError as error:
        if "movement_arrival_once" not in str(error):
            raise
        raise Conflict(f"{movement.evidence} was proposed or credited before.") from error
    return movement


def _move(movement: StaffMovement) -> None:
    verb = top_up if movement.type == MovementType.TOP_UP else adjust
    verb(
        account_id=movement.wallet.account_id,
        environment=movement.wallet.environment,
        amount_cents=movement.amount_cents,
        currency=movement.wallet.currency,
        reference=movement.id,
        trace=Trace(description=movement.description),
    )


def _locked(movement_id: str) -> StaffMovement:
    return StaffMovement.objects.select_for_update(of=("self",)).select_related("wallet").get(pk=movement_id)


def _second_person(movement: StaffMovement, person: User) -> None:
    _staff_only(person)
    if person.pk == movement.proposed_by_id:
        raise PermissionDenied("Another member of staff has to decide about it.")


def _still_proposed(movement: StaffMovement) -> None:
    if movement.state != MovementState.PROPOSED:
        raise Conflict(f"It is {movement.state} already.")
    if movement.proposed_at <= clock.now() - EXPIRES_AFTER:
        raise Conflict("It has waited for over a week: propose it again.")


def _decide(movement: StaffMovement, state: MovementState, *, by: User, refusal: str = "") -> None:
    movement.state, movement.decided_by, movement.refusal = state, by, refusal
    movement.decided_at = clock.now()
    movement.save(update_fields=["state", "decided_by", "decided_at", "refusal"])


def _staff_only(person: User) -> None:
    if not person.is_staff:
        raise PermissionDenied("Only staff move money by hand.")
