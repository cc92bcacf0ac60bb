"""Where and when the driver waits, as a service or a transfer of an order tells it."""

from collections.abc import Mapping
from datetime import MAXYEAR, MINYEAR, datetime
from typing import Any

from apps.transfers.suppliers.base import Pickup
from apps.transfers.suppliers.hotelbeds.reading import part, text

UNTOLD = "Where the driver waits is told before the ride."


def pickup_of(transfer: Mapping[str, Any], quoted: str = UNTOLD) -> Pickup:
    """`at` is None as long as the time is not fixed: the traveller then looks it up where the instructions say. An order that has
    none keeps the `quoted` ones.
    """
    information = part(transfer, "pickupInformation")
    return Pickup(
        at=_at(information),
        instructions=_instructions(part(information, "pickup")) or quoted,
        emergency_phone=text(transfer, "sourceMarketEmergencyNumber") or None,
    )


def _at(information: Mapping[str, Any]) -> datetime | None:
    try:
        at = datetime.fromisoformat(f"{text(information, 'date')}T{text(information, 'time')}")
    except ValueError:
        return None
    # The first and the last day of the calendar are how some systems write "no date".
    return at.replace(tzinfo=None) if MINYEAR < at.year < MAXYEAR else None


def _instructions(pickup: Mapping[str, Any]) -> str:
    check = part(pickup, "checkPickup")
    lines = [text(pickup, "description"), text(pickup, "stopName")]
    if check.get("mustCheckPickupTime") is True:
        hours = check.get("hoursBeforeConsulting")
        when = f"{hours} hours before" if isinstance(hours, int) else "the day before"
        lines.append(f"The pick-up time must be checked {when}: {text(check, 'url') or 'ask the driver'}")
    return " ".join(line for line in lines if line)
