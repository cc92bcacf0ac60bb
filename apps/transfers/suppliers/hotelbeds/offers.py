"""Their services as our offers, and which of them is one that was offered before."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.suppliers.results import Found, Withheld
from apps.transfers.suppliers.base import TransferOffer, TransferSearch, WaitingTime
from apps.transfers.suppliers.clocks import clock_of
from apps.transfers.suppliers.hotelbeds.money import Amount, number, price_of
from apps.transfers.suppliers.hotelbeds.pickups import pickup_of
from apps.transfers.suppliers.hotelbeds.policies import is_certain, policy_of
from apps.transfers.suppliers.hotelbeds.reading import items, part, storable, text
from apps.transfers.suppliers.hotelbeds.vehicles import vehicle_of

SAME = ("vehicle", "category", "transferType", "pickup")
"""What makes a service the one that was offered: its rate key is new with every answer."""
INSTRUCTIONS = "instructions"
WAITING = (("customer", "customerTransferTimeInfo"), ("driver", "supplierTransferTimeInfo"))
MINUTES = {"minutes": 1, "minute": 1, "hours": 60, "hour": 60}


def offers_of(services: list[Any], search: TransferSearch, now: datetime) -> Found[TransferOffer]:
    """What can be sold of an answer, the cheapest first, and how many of its services cannot be read."""
    read = [offer_of(service, search, now) if isinstance(service, dict) else None for service in services]
    found = [offer for offer in read if offer is not None]
    return Found(
        sorted(found, key=lambda offer: offer.total_cents), Withheld(unreadable=len(read) - len(found))
    )


def offer_of(service: Mapping[str, Any], search: TransferSearch, now: datetime) -> TransferOffer | None:
    """None for a service without a rate key, or a price that can be read and is one."""
    price, rate_key = price_of(service.get("price")), service.get("rateKey")
    policies, there = service.get("cancellationPolicies"), clock_of(search)
    if price is None or price.cents == 0 or not isinstance(rate_key, str) or not rate_key:
        return None
    if storable(rate_key) != rate_key:  # it would not name the same rate any more
        return None
    pickup = pickup_of(service)
    return TransferOffer(
        total_cents=price.cents,
        currency=price.currency,
        vehicle=vehicle_of(service),
        duration_minutes=None,
        cancellation_policy=policy_of(policies, price, clock=there, now=now),
        policy_is_certain=is_certain(policies, price, clock=there),
        expires_at=None,
        supplier_data={
            "rateKey": rate_key,
            "amount": str(price.value),
            "currency": price.currency,
            **{name: identity_of(service, name) for name in SAME},
            INSTRUCTIONS: pickup.instructions,
        },
        remarks=remarks_of(service),
        waiting_times=waiting_times_of(service),
        pickup_at=pickup.at,
    )


def same_service(offers: list[TransferOffer], wanted: TransferOffer) -> TransferOffer | None:
    """The one with the same vehicle, category, kind and pick-up. Of several such, one on the same terms before a cheaper one that
    pays nothing back; then the one at the same price, else the cheapest.
    """
    alike = [offer for offer in offers if all(told(offer, name) == told(wanted, name) for name in SAME)]
    agreed = [offer for offer in alike if terms_of(offer) == terms_of(wanted)] or alike
    unchanged = [offer for offer in agreed if amount_of(offer) == amount_of(wanted)]
    return next(iter(unchanged or agreed), None)


def terms_of(offer: TransferOffer) -> list[tuple[datetime | None, int]]:
    """From when on cancelling costs how many percent."""
    whole = offer.total_cents
    return [
        (step.starts_at, (200 * step.amount_cents + whole) // (2 * whole))
        for step in offer.cancellation_policy
    ]


def amount_of(offer: TransferOffer) -> Amount:
    """What we pay for it, in their words."""
    return Amount(Decimal(told(offer, "amount")), told(offer, "currency"))


def told(offer: TransferOffer, name: str) -> str:
    return offer.supplier_data[name]


def identity_of(service: Mapping[str, Any], name: str) -> str:
    if name == "transferType":
        return storable(str(service.get(name)))
    if name == "pickup":
        pickup = part(part(service, "pickupInformation"), "pickup")
        return storable(str(pickup.get("pickupId") or pickup.get("stopName") or ""))
    return storable(str(part(service, name).get("code")))


def remarks_of(service: Mapping[str, Any]) -> tuple[str, ...]:
    """Those that have to be shown to who buys."""
    remarks = items(part(service, "content"), "transferRemarks")
    texts = [text(remark, "description") for remark in remarks if remark.get("mandatory") is True]
    return tuple(filter(None, texts))


def waiting_times_of(service: Mapping[str, Any]) -> tuple[WaitingTime, ...]:
    content = part(service, "content")
    times = [(who, time) for who, name in WAITING for time in items(content, name)]
    return tuple(WaitingTime(who, minutes) for who, time in times if (minutes := _minutes(time)) is not None)


def _minutes(time: Mapping[str, Any]) -> int | None:
    value, unit = number(time.get("value")), MINUTES.get(str(time.get("metric")).lower())
    return None if value is None or unit is None or value < 0 else int(value * unit)
