"""Hotelbeds' services and bookings in our words, and our orders in theirs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, UTC, datetime, tzinfo
from decimal import Decimal
from itertools import pairwise, product
from typing import Any

from apps.common.money import is_currency, to_cents
from apps.suppliers.errors import Expired, Unavailable
from apps.suppliers.results import Found, Withheld
from apps.transfers.rules import EARLIEST, clock_at, clock_of
from apps.transfers.suppliers.base import (
    DIRECTIONS,
    Cancellation,
    ChosenExtra,
    Extra,
    Operator,
    OrderRequest,
    Pickup,
    Place,
    PolicyStep,
    TransferOffer,
    TransferOrder,
    TransferSearch,
    Vehicle,
    WaitingTime,
)
from apps.transfers.suppliers.hotelbeds.places import (
    GPS,
    addresses,
    coordinates,
    details_of_legs,
    ends_of,
    is_point,
)
from apps.transfers.suppliers.trips import BACK, Terms, joined, of_the_whole, with_extras


def part(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """An object in an object; an empty one if absent."""
    found = data.get(name)
    return found if isinstance(found, Mapping) else {}


def items(data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects in a list in an object."""
    found = data.get(name)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def text(data: Mapping[str, Any], name: str) -> str:
    """A text in an object, as it can be stored; an empty one if absent."""
    found = data.get(name)
    return storable(found) if isinstance(found, str) else ""


def storable(raw: str) -> str:
    """Without what JSON can carry and PostgreSQL cannot: the character zero, half a surrogate pair."""
    return raw.encode(errors="ignore").decode().replace("\0", "")


@dataclass(frozen=True, slots=True)
class Amount:
    value: Decimal
    currency: str

    @property
    def cents(self) -> int:
        return to_cents(self.value, self.currency)


def price_of(price: object) -> Amount | None:
    """`{totalAmount, netAmount, currencyId}`; None for what is no price."""
    raw = price if isinstance(price, Mapping) else {}
    return _amount(number(raw.get("netAmount")) or number(raw.get("totalAmount")), raw.get("currencyId"))


def order_amount(booking: Mapping[str, Any]) -> Amount | None:
    """What the order costs us: its net amount where its services have net prices."""
    net, total = _net_amounts(booking), number(booking.get("totalAmount"))
    if net:
        extras = sum(map(extras_amount, items(booking, "transfers")), Decimal())
        total = number(booking.get("totalNetAmount")) or sum(net, extras)
    return _amount(total, booking.get("currency"))


def extras_amount(transfer: Mapping[str, Any]) -> Decimal:
    """What the extras of a booked ride cost together."""
    stated = number(part(transfer, "price").get("extrasAmount"))
    if stated is None:
        stated = sum(
            (number(extra.get("amount")) or Decimal() for extra in items(transfer, "extras")), Decimal()
        )
    return max(stated, Decimal())


def charge_of(booking: Mapping[str, Any]) -> Amount | None:
    """What is left to pay of a cancelled order. Its services do not say it: they state 0.0, or still what they were sold for."""
    left, net = number(booking.get("totalAmount")), number(booking.get("totalNetAmount"))
    if left is not None and net is not None and (net or _net_amounts(booking)):
        left = min(left, net)
    return _amount(left, booking.get("currency"))


def sold_for(booking: Mapping[str, Any]) -> Amount | None:
    """The sum of what its services were sold for; None where they do not say, as those of a cancelled order that say 0.0."""
    prices = [price_of(price) for price in _prices(booking)]
    if not prices or None in prices:
        return None
    total = sum((price.value for price in prices if price is not None), Decimal())
    return _amount(total or None, booking.get("currency"))


def number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, Decimal | int | str):
        return None
    try:
        found = Decimal(value)
    except ArithmeticError:
        return None
    return found if found.is_finite() and abs(found) < 10**9 else None


def _amount(value: Decimal | None, currency: object) -> Amount | None:
    if value is None or value < 0 or not isinstance(currency, str) or not is_currency(currency):
        return None
    return Amount(value, currency)


def _net_amounts(booking: Mapping[str, Any]) -> list[Decimal]:
    """Of its services, where they have any; of one among them that has none, what it costs otherwise."""
    prices = _prices(booking)
    if not any(number(price.get("netAmount")) for price in prices):
        return []
    raw = (number(price.get("netAmount")) or number(price.get("totalAmount")) for price in prices)
    return [amount for amount in raw if amount]


def _prices(booking: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [price for transfer in items(booking, "transfers") if (price := part(transfer, "price"))]


ALWAYS, NEVER = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
"""What the ends of the calendar stand for, which no clock can count beyond."""


def clock_told(pickup_information: object) -> tzinfo:
    """By the ends as they are repeated in an order."""
    raw = pickup_information if isinstance(pickup_information, Mapping) else {}
    return clock_at(_place(raw.get("to")), _place(raw.get("from")))


def instant(written: object, clock: tzinfo) -> datetime | None:
    """`2027-02-02T14:30:00` at that place, in UTC; None for what is no time."""
    try:
        moment = datetime.fromisoformat(written) if isinstance(written, str) else None
    except ValueError:
        return None
    if moment is None:
        return None
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=clock)).astimezone(UTC)
    except OverflowError:  # 9999-12-31 west of Greenwich, 0001-01-01 east of it
        return NEVER if moment.year > 1 else ALWAYS


def _place(raw: object) -> Place:
    point = raw if isinstance(raw, Mapping) else {}
    kind, code = str(point.get("type")), point.get("code")
    place = coordinates(code) if kind == GPS else None
    if place is not None:
        return Place("GEO", latitude=place[0], longitude=place[1])
    return Place(kind, str(code))


SEATS_OF_A_CAR = 4
SEATS_OF_A_MINIVAN = 9
MOST_SEATS = 999
COMFORT = ("comfort", "superior", "first")
BUSINESS = ("premium", "luxury", "business", "executive", "vip")


def vehicle_of(service: Mapping[str, Any]) -> Vehicle:
    vehicle, category = name_of(service, "vehicle"), name_of(service, "category")
    raw = service.get("maxPaxCapacity")
    seats = raw if isinstance(raw, int) and raw is not True and 0 < raw <= MOST_SEATS else None
    return Vehicle(
        category=_class(str(service.get("transferType")), vehicle.lower(), category.lower(), seats),
        description=f"{category} {vehicle}".strip(),
        max_passengers=seats,
        max_bags=detail_number(service, "LUGGAGE", MOST_SEATS),
    )


LONGEST_DRIVE = 2 * 24 * 60
NUMBER = re.compile(r"\d+")


def detail_number(service: Mapping[str, Any], kind: str, most: int) -> int | None:
    """A number of `transferDetailInfo`, such as the minutes of the drive (TRFTIME). Some answers have it as `value`, some in the
    text (`50 min. Estimated journey time`), some not at all.
    """
    details = items(part(service, "content"), "transferDetailInfo")
    for detail in (one for one in details if one.get("id") == kind):
        found = number(detail.get("value"))
        if found is None and (digits := NUMBER.search(text(detail, "name"))):
            found = number(digits[0])
        if found is not None and 0 < found <= most:
            return int(found)
    return None


def name_of(service: Mapping[str, Any], kind: str) -> str:
    """The name of a vehicle or category, or its code where it has none."""
    raw = part(service, kind)
    return storable(str(raw.get("name") or raw.get("code") or ""))


def _class(transfer_type: str, vehicle: str, category: str, seats: int | None) -> str:
    if transfer_type.upper() == "SHARED":
        return "shuttle"
    if "bus" in vehicle.replace("business", "") or "coach" in vehicle or (seats or 0) > SEATS_OF_A_MINIVAN:
        return "minibus"
    if "van" in vehicle or (seats or 0) > SEATS_OF_A_CAR:
        return "minivan"
    if any(word in category for word in BUSINESS):
        return "business"
    return "comfort" if any(word in category for word in COMFORT) else "economy"


UNSTATED = "The meeting point is confirmed before the ride."


def pickup_of(transfer: Mapping[str, Any], quoted: str = UNSTATED) -> Pickup:
    """`at` is None as long as the time is not fixed: the traveller then looks it up where the instructions say. An order that has
    none has the `quoted` ones.
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
    street = " ".join(filter(None, (text(pickup, "address"), text(pickup, "number"))))
    town = " ".join(filter(None, (text(pickup, "zip"), text(pickup, "town"))))
    address = ", ".join(filter(None, (street, town)))
    lines = [text(pickup, "description"), text(pickup, "stopName"), f"Address: {address}." if address else ""]
    if check.get("mustCheckPickupTime") is True:
        hours = check.get("hoursBeforeConsulting")
        when = f"{hours} hours before" if isinstance(hours, int) else "the day before"
        lines.append(f"The pick-up time must be checked {when}: {text(check, 'url') or 'ask the driver'}")
    return " ".join(line for line in lines if line)


def is_certain(raw: object, price: Amount, *, clock: tzinfo) -> bool:
    """Whether `policy_of` says what they will go by: all can be read, in the order's currency and by a clock that is known, each
    step at another instant and costing no less than the one before.
    """
    policies = raw if isinstance(raw, list) else []
    steps = sorted(_steps(policies, price, clock))
    rising = all(one[0] < next_[0] and one[1] <= next_[1] for one, next_ in pairwise(steps))
    return bool(policies) and len(steps) == len(policies) and rising and clock is not EARLIEST


def policy_of(raw: object, price: Amount, *, clock: tzinfo, now: datetime) -> tuple[PolicyStep, ...]:
    """The steps by the time they begin, each costing no less than the one before. What has begun already holds from the booking
    on; where nothing readable is stated, nothing is refunded.
    """
    policies = raw if isinstance(raw, list) else []
    steps = sorted(_steps(policies, price, clock), key=lambda step: (step[0], step[1]))
    if not policies or len(steps) < len(policies):
        return (PolicyStep(None, price.cents),)
    begun = [cents for starts_at, cents in steps if starts_at <= now]
    highest = max(begun, default=0)
    found = [PolicyStep(None, highest)] if highest else []  # a step that costs nothing is left out
    for starts_at, cents in steps:
        if starts_at > now:
            found.append(PolicyStep(starts_at, max(cents, found[-1].amount_cents if found else 0)))
    return tuple(found)


def _steps(policies: list[object], price: Amount, clock: tzinfo) -> Iterator[tuple[datetime, int]]:
    for policy in policies:
        if not isinstance(policy, dict):
            continue
        starts_at = instant(policy.get("from"), clock)
        amount = price_of({"totalAmount": policy.get("amount"), "currencyId": policy.get("currencyId")})
        if starts_at is not None and amount is not None and amount.currency == price.currency:
            yield starts_at, min(amount.cents, price.cents)


SAME = ("vehicle", "category", "transferType", "pickup")
"""What makes a service the one that was offered: its rate key is new with every answer."""
INSTRUCTIONS = "instructions"
WAITING = (("customer", "customerTransferTimeInfo"), ("driver", "supplierTransferTimeInfo"))
MINUTES = {"minutes": 1, "minute": 1, "hours": 60, "hour": 60}


def offers_of(services: list[Any], search: TransferSearch, now: datetime) -> Found[TransferOffer]:
    """What can be sold of an answer, the cheapest first, and how many of its services cannot be read, or not be sold."""
    (found, *back), withheld = rides_of(services, search, now)
    if back:
        found, alone = pairs_of(found, back[0])
        withheld += Withheld(unsupported=alone)
    return Found(sorted(found, key=lambda offer: offer.total_cents), withheld)


def rides_of(
    services: list[Any], search: TransferSearch, now: datetime
) -> tuple[list[list[TransferOffer]], Withheld]:
    """The rides of an answer by leg, each as an offer of one way, and how many are left out. An answer to a return search has
    both legs in one list: the way back starts where the way there ends. Their `direction` is by the terminal, not by the leg.
    """
    legs = search.legs
    rides: list[list[TransferOffer]] = [[] for _ in legs]
    unreadable = unsupported = 0
    for service in services:
        leg = leg_of(service, legs) if isinstance(service, dict) else None
        offer = offer_of(service, legs[leg], now) if leg is not None else None
        if leg is None or offer is None:
            unreadable += 1
        elif demands_extras(service):
            unsupported += 1  # a price that we do not name
        else:
            rides[leg].append(offer)
    return rides, Withheld(unreadable=unreadable, unsupported=unsupported)


def leg_of(service: Mapping[str, Any], legs: Sequence[TransferSearch]) -> int | None:
    if len(legs) == 1:
        return 0
    starts_at = part(service, "pickupInformation").get("from")
    found = (at for at, leg in enumerate(legs) if is_point(starts_at, ends_of(leg)[0]))
    return next(found, None)


def pairs_of(there: list[TransferOffer], back: list[TransferOffer]) -> tuple[list[TransferOffer], int]:
    """Both ways in the same kind of vehicle, the cheapest with the cheapest: at most as many as rides of one way, and each ride
    that has a partner is in one. Returns also how many have none.
    """
    pairs: list[TransferOffer] = []
    alone = 0
    for kind in dict.fromkeys(map(kind_of, (*there, *back))):
        ways = [
            sorted((ride for ride in rides if kind_of(ride) == kind), key=lambda ride: ride.total_cents)
            for rides in (there, back)
        ]
        most = max(map(len, ways))
        if not all(ways):
            alone += most
            continue
        pairs += [both(*(rides[min(at, len(rides) - 1)] for rides in ways)) for at in range(most)]
    return pairs, alone


def kind_of(ride: TransferOffer) -> tuple[str, ...]:
    return ride.currency, ride.vehicle.category, *(data_of(ride, name) for name in SAME if name != "pickup")


def both(there: TransferOffer, back: TransferOffer) -> TransferOffer:
    """The amount in their words is that of the whole, and so is that of an extra."""
    offer = joined(there, back)
    amounts = {"amount": str(amount_of(there).value + amount_of(back).value)}
    for extra in offer.extras:
        name = EXTRA + extra.code
        ways = (one for one, way in zip((there, back), DIRECTIONS, strict=True) if way in extra.directions)
        amounts[name] = str(sum((Decimal(data_of(one, name)) for one in ways), Decimal()))
    return replace(offer, supplier_data={**offer.supplier_data, **amounts})


def offer_of(service: Mapping[str, Any], search: TransferSearch, now: datetime) -> TransferOffer | None:
    """None for a service without a rate key, or a price that can be read and is one."""
    price, rate_key = price_of(service.get("price")), service.get("rateKey")
    policies, there = service.get("cancellationPolicies"), clock_of(search)
    if price is None or price.cents == 0 or not isinstance(rate_key, str) or not rate_key:
        return None
    if storable(rate_key) != rate_key:  # it would not name the same rate any more
        return None
    pickup, extras = pickup_of(service), extras_of(service, price.currency)
    return TransferOffer(
        total_cents=price.cents,
        currency=price.currency,
        vehicle=vehicle_of(service),
        duration_minutes=detail_number(service, "TRFTIME", LONGEST_DRIVE),
        cancellation_policy=policy_of(policies, price, clock=there, now=now),
        policy_is_certain=is_certain(policies, price, clock=there),
        expires_at=None,
        supplier_data={
            "rateKey": rate_key,
            "amount": str(price.value),
            "currency": price.currency,
            **{name: identity_of(service, name) for name in SAME},
            INSTRUCTIONS: pickup.instructions,
            **{EXTRA + extra.code: str(amount) for extra, amount in extras},
        },
        extras=tuple(extra for extra, _ in extras),
        remarks=remarks_of(service),
        waiting_times=waiting_times_of(service),
        pickup_at=pickup.at,
    )


EXTRA = "extra."
"""Before an extra's code: the entry of `supplier_data` that has what one of it costs, in their words."""
MOST_UNITS = 9
"""Of an extra whose bounds they do not state, as most answers do not."""


def extras_of(service: Mapping[str, Any], currency: str) -> list[tuple[Extra, Decimal]]:
    """What can be ordered with a service, and what one of it costs. One that cannot be read cannot be ordered.

    Recorded answers have `type` and `amount`; `name`, `price` and the bounds are documented.
    """
    found: dict[str, tuple[Extra, Decimal]] = {}
    for raw in items(service, "extras"):
        code, name = text(raw, "code"), text(raw, "type") or text(raw, "name")
        value = number(raw.get("amount"))
        price = _amount(number(raw.get("price")) if value is None else value, currency)
        least, most = _units(raw, "minUnits", 1), _units(raw, "maxUnits", MOST_UNITS)
        if code and len(code) <= LONGEST_EXTRA and name and price is not None and least <= most:
            extra = Extra(code, name, price.cents, most, min_quantity=least)
            found.setdefault(code, (extra, price.value))
    return list(found.values())


LONGEST_EXTRA = 32


def _units(extra: Mapping[str, Any], name: str, usual: int) -> int:
    stated = number(extra.get(name))
    return usual if stated is None or not 0 < stated <= MOST_SEATS else int(stated)


def demands_extras(service: Mapping[str, Any]) -> bool:
    """Whether it is sold only with an extra."""
    return any(extra.get("required") is True for extra in items(service, "extras"))


def same_ride(
    services: list[Any], search: TransferSearch, wanted: TransferOffer, now: datetime
) -> TransferOffer | None:
    """What was offered, as an answer has it now; of a return journey each leg."""
    rides, _ = rides_of(services, search, now)
    if wanted.back is None:
        return same_service(sorted(rides[0], key=lambda ride: ride.total_cents), wanted)
    ways = [
        [ride for ride in of_leg if is_same(ride, wanted, before)]
        for of_leg, before in zip(rides, ("", BACK), strict=True)
    ]
    pairs = [both(there, back) for there, back in product(*ways) if there.currency == back.currency]
    return same_service(sorted(pairs, key=lambda offer: offer.total_cents), wanted)


def is_same(ride: TransferOffer, wanted: TransferOffer, before: str = "") -> bool:
    return all(data_of(ride, name) == data_of(wanted, before + name) for name in SAME)


def same_service(offers: list[TransferOffer], wanted: TransferOffer) -> TransferOffer | None:
    """The one with the same vehicle, category, kind and pick-up. Of several such, one on the same terms before a cheaper one that
    pays nothing back; then the one at the same price, else the cheapest.
    """
    alike = [offer for offer in offers if is_same(offer, wanted)]
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
    return Amount(Decimal(data_of(offer, "amount")), data_of(offer, "currency"))


def amount_with(offer: TransferOffer, chosen: Iterable[ChosenExtra]) -> Amount:
    """The same with extras. Raises Expired where one of them is gone."""
    ride, data = amount_of(offer), offer.supplier_data
    try:
        beside = sum((one.quantity * Decimal(data[EXTRA + one.code]) for one in chosen), Decimal())
    except KeyError as error:
        raise Expired("an extra is no longer sold") from error
    return Amount(ride.value + beside, ride.currency)


def data_of(offer: TransferOffer, name: str) -> str:
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


STANDING = ("CONFIRMED", "MODIFIED")
CANCELLED = "CANCELLED"
LONGEST_REMARK = 2000

Booking = dict[str, Any]


def body_of(request: OrderRequest, *, language: str) -> dict[str, Any]:
    lead = request.lead_passenger
    return {
        "language": language,
        "holder": {
            "name": lead.first_name,
            "surname": lead.last_name,
            "email": lead.email,
            "phone": lead.phone,
        },
        "transfers": [
            {
                "rateKey": rate_key,
                "transferDetails": details,
                **addresses(leg),
                **({"extras": extras} if (extras := extras_for(request, direction)) else {}),
            }
            for leg, direction, rate_key, details in zip(
                request.search.legs,
                DIRECTIONS,
                rate_keys_of(request.offer),
                details_of_legs(request.search, request.flight_numbers),
                strict=False,
            )
        ],
        "clientReference": request.client_ref,
        "remark": (request.notes or "")[:LONGEST_REMARK],
    }


def rate_keys_of(offer: TransferOffer) -> list[str]:
    """By leg."""
    names = ["rateKey"] if offer.back is None else ["rateKey", f"{BACK}rateKey"]
    return [data_of(offer, name) for name in names]


def extras_for(request: OrderRequest, direction: str) -> list[dict[str, str]]:
    """Those of a leg, with their number as a text, as they document it."""
    on_leg = {extra.code for extra in request.offer.extras if direction in extra.directions}
    return [{"units": str(quantity), "code": code} for code, quantity in request.extras if code in on_leg]


def rides_in(booking: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A booking's rides by leg: nothing says that they are in the order in which they were asked for, but their times do."""
    rides = items(booking, "transfers")
    pickups = [part(ride, "pickupInformation") for ride in rides]
    timed = all(text(pickup, "time") for pickup in pickups)
    days = [(text(pickup, "date"), text(pickup, "time") if timed else "") for pickup in pickups]
    return [ride for _, ride in sorted(zip(days, rides, strict=True), key=lambda found: found[0])]


@dataclass(frozen=True, slots=True)
class Quoted:
    """What is known of an order beside what it says: by leg, the instructions that its offer had, and the clock that its policy
    was quoted by, for a search says more of a place than the order.
    """

    instructions: tuple[str, ...] = (UNSTATED, UNSTATED)
    clocks: tuple[tzinfo | None, ...] = (None, None)

    @classmethod
    def of(cls, request: OrderRequest) -> "Quoted":
        names = [INSTRUCTIONS] if request.offer.back is None else [INSTRUCTIONS, BACK + INSTRUCTIONS]
        instructions = tuple(data_of(request.offer, name) for name in names)
        return cls(instructions, tuple(clock_of(leg) for leg in request.search.legs))


NOTHING_KNOWN = Quoted()
UNSTATED_HERE = Quoted(("", ""))


def order_of(booking: Booking, now: datetime, quoted: Quoted = NOTHING_KNOWN) -> TransferOrder:
    """Raises Unavailable for an order that is neither confirmed nor cancelled, or whose price cannot be read."""
    rides, status = rides_in(booking) or [{}], text(booking, "status")
    cancellation = cancellation_of(booking) if status == CANCELLED else None
    price = sold_for(booking) if cancellation else order_amount(booking)
    if cancellation is not None:
        total, currency = cancellation.penalty_cents + cancellation.refund_cents, cancellation.currency
    elif price is not None and status in STANDING:
        total, currency = price.cents, price.currency
    else:
        raise Unavailable(f"Hotelbeds: an order that is {status!r}")
    policy, certain = terms_of_order(rides, price, now, quoted) if price is not None else ((), False)
    pickups = [pickup_of(ride, said) for ride, said in zip(rides, quoted.instructions, strict=False)]
    return TransferOrder(
        supplier_reference=text(booking, "reference"),
        total_cents=total,
        currency=currency,
        pickup=pickups[0],
        back_pickup=pickups[1] if len(pickups) > 1 else None,
        cancellation_policy=policy,
        cancellation=cancellation,
        operator=operator_of(booking),
        policy_is_certain=certain,
    )


def terms_of_order(rides: list[dict[str, Any]], price: Amount, now: datetime, quoted: Quoted) -> Terms:
    """Of all its rides together; no terms where one of them has none that can be read. `price` is that of the whole."""
    terms: list[Terms] = []
    for ride, known in zip(rides, quoted.clocks, strict=False):
        extras = extras_amount(ride)
        of_ride = (
            price_of(ride.get("price")) if len(rides) > 1 else Amount(price.value - extras, price.currency)
        )
        policies = ride.get("cancellationPolicies")
        if of_ride is None or of_ride.value < 0 or not items(ride, "cancellationPolicies"):
            return (), False
        clock = known or clock_told(ride.get("pickupInformation"))
        stated = (
            policy_of(policies, of_ride, clock=clock, now=now),
            is_certain(policies, of_ride, clock=clock),
        )
        terms.append(with_extras(stated, of_ride.cents, to_cents(extras, price.currency)))
    return of_the_whole(terms)


def operator_of(booking: Booking) -> Operator | None:
    supplier = part(booking, "supplier")
    if not text(supplier, "name"):
        return None
    invoicing = text(part(booking, "invoiceCompany"), "code")
    return Operator(text(supplier, "name"), text(supplier, "vatNumber"), invoicing)


def cancellation_of(booking: Booking) -> Cancellation:
    """What is left to pay of a cancelled order is its penalty. Raises Unavailable where that cannot be read."""
    charge, price = charge_of(booking), sold_for(booking)
    if charge is None:
        raise Unavailable("Hotelbeds: a cancelled order without its charge")
    total = max(charge.cents, price.cents if price is not None else 0)
    return Cancellation(charge.cents, total - charge.cents, charge.currency)
