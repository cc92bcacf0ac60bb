"""Their money: amounts and cancellation policies.

LiteAPI has no call that quotes a cancellation, so the penalty is worked out here. Where a policy cannot be understood the whole
price is assumed: a partner's `maxPenaltyCents` then refuses rather than loses money, and what is charged in the end is what
LiteAPI says when it has cancelled.
"""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from json.encoder import encode_basestring_ascii as quoted
from typing import Any
from zoneinfo import ZoneInfo

from apps.common.money import to_cents
from apps.hotels.suppliers.liteapi.client import UNREADABLE, number
from apps.suppliers.results import PenaltyStep, PenaltySteps, without_idle

MOST_CENTS = 10**15
REFUNDABLE, NON_REFUNDABLE = "RFN", "NRFN"
TIME_FORMATS = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S")
OFFSET = re.compile(r"(?:GMT|UTC)?\s?([+-])(\d{1,2}):?(\d{2})?")
TOO_LARGE = 2**63  # for a number in an answer of ours
DEEPEST = 50  # of a policy: an answer of ours holds some 250 levels
EARLIEST_ZONE = timezone(timedelta(hours=14))  # where a day begins first
ALWAYS = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Price:
    """An amount in major units, as exact as it was given."""

    amount: Decimal
    currency: str

    @property
    def cents(self) -> int:
        """Rounded half up. Raises ValueError for what no booking can cost, or an invalid currency."""
        cents = to_cents(self.amount, self.currency)
        if not 0 < cents < MOST_CENTS:
            raise ValueError("an amount that cannot be paid")
        return cents


def price_in(value: Any) -> Price:
    """`{amount, currency}`, or the first of a list of such."""
    one = value[0] if isinstance(value, list) else value
    return Price(number(one["amount"]), str(one["currency"]))


def net_of_room_type(room_type: Any) -> Price:
    """What we pay for all rooms of the stay: the total less our commission."""
    rates = room_type["rates"]
    if room_type.get("offerRetailRate"):
        total = price_in(room_type["offerRetailRate"])
    else:
        totals = [price_in(rate["retailRate"]["total"]) for rate in rates]
        total = Price(sum((one.amount for one in totals), Decimal(0)), same_currency(totals))
    commissions = [price_in(rate["commission"]) for rate in rates if rate.get("commission")]
    same_currency([total, *(one for one in commissions if one.amount)])
    net = total.amount - sum(one.amount for one in commissions)
    return Price(net + fee_of(room_type, total.currency), total.currency)


def net_of_booking(booking: Any) -> Price:
    """The same of a prebook or a booking, which give one price for everything."""
    currency = str(booking["currency"])
    net = number(booking["price"]) - number(booking.get("commission") or 0)
    return Price(net + fee_of(booking, currency), currency)


def fee_of(told: Any, currency: str) -> Decimal:
    """Their fee for the payment method, on top of their price. It is not documented; so far it was seen as a number."""
    fee = told.get("processingFee")
    if not fee:
        return Decimal(0)
    if isinstance(fee, dict | list):
        price = price_in(fee)
        same_currency([price, Price(Decimal(0), currency)])
        return price.amount
    return number(fee)


def least_public(room_type: Any, currency: str) -> int | None:
    """The least that may be shown in public for all rooms, in minor units. None where they do not say. Raises ValueError."""
    if room_type.get("suggestedSellingPrice"):
        prices = [price_in(room_type["suggestedSellingPrice"])]
    else:
        told = [rate["retailRate"].get("suggestedSellingPrice") for rate in room_type["rates"]]
        if not all(told):
            return None
        prices = [price_in(one) for one in told]
    least = Price(sum((one.amount for one in prices), Decimal(0)), same_currency(prices))
    same_currency([least, Price(Decimal(0), currency)])
    return least.cents


def same_currency(prices: list[Price]) -> str:
    """Raises ValueError where amounts of several currencies would have to be added."""
    (currency,) = {price.currency for price in prices}
    return currency


def verbatim(value: Any, level: int = 0) -> str:
    """A part of an answer as JSON again, its numbers to the digit as they came; without what is below the DEEPEST level."""
    match value:
        case dict() | list() if level == DEEPEST:
            return "null"
        case str():
            return quoted(value)
        case dict():
            told = [f"{quoted(key)}: {verbatim(item, level + 1)}" for key, item in value.items()]
            return "{" + ", ".join(told) + "}"
        case list():
            return "[" + ", ".join([verbatim(item, level + 1) for item in value]) + "]"
        case Decimal():
            return str(value)
        case int() if abs(value) >= TOO_LARGE:
            return f'"{value}"'
        case _:
            return json.dumps(value)


def policy_of_rates(rates: list[Any]) -> str:
    """The policy of an offer: an object for one room, a list of such, in the order of the rooms, for several."""
    policies = [rate["cancellationPolicies"] for rate in rates]
    return verbatim(policies[0] if len(policies) == 1 else policies)


def is_refundable(rates: list[Any]) -> bool:
    """Only where every room is."""
    return all(rate["cancellationPolicies"].get("refundableTag") == REFUNDABLE for rate in rates)


@dataclass(frozen=True, slots=True)
class _Share:
    """What one room's step costs: an amount, or a percentage of that room's price."""

    cents: int = 0
    percent: Decimal = Decimal(0)


ALL = _Share(percent=Decimal(100))


def penalty_cents(policy: str, *, total_cents: int, currency: str, now: datetime) -> int:
    """What cancelling at `now` costs, never more than the total.

    Amounts of several rooms add up. Of their percentages the greatest counts, once, of the whole total: the policy does not say
    what each room costs, and their shares together never come to more.
    """
    try:
        parsed = json.loads(policy, parse_float=Decimal)
        rooms = parsed if isinstance(parsed, list) else [parsed]
        shares = [_of_room(room, currency, now) for room in rooms]
        return _cost(shares, total_cents)
    except UNREADABLE:
        return total_cents


def _cost(shares: list[_Share], total_cents: int) -> int:
    percent = max(share.percent for share in shares)
    part = int((percent * total_cents / 100).quantize(Decimal(1), rounding=ROUND_HALF_UP))
    return min(total_cents, sum(share.cents for share in shares) + part)


def steps_of_text(policy: str, *, total_cents: int, currency: str) -> PenaltySteps | None:
    """The steps of a policy that was kept word for word; of an empty one too, they are not known."""
    try:
        parsed = json.loads(policy, parse_float=Decimal)
    except UNREADABLE:
        return None
    return steps_of(
        parsed if isinstance(parsed, list) else [parsed], total_cents=total_cents, currency=currency
    )


def steps_of(policies: list[Any], *, total_cents: int, currency: str) -> PenaltySteps | None:
    """When what cancelling all rooms costs changes, and to what: at every instant what `penalty_cents` says. None where the
    words leave a doubt: a tag, a kind of amount or a zone that is not known, two amounts for one instant, another currency, or
    rooms that cost different percentages of prices that are not given.
    """
    try:
        rooms = [_ladder(policy, currency) for policy in policies]
        begins = sorted({at for room in rooms for at in room})
        found = [_step(at, rooms, total_cents) for at in begins]
    except UNREADABLE:
        return None
    return without_idle(found) if rooms else None


Ladder = dict[datetime, _Share]


def _ladder(policy: Any, currency: str) -> Ladder:
    """What a room's steps cost, by the instant when they begin. Raises one of UNREADABLE."""
    if policy["refundableTag"] == NON_REFUNDABLE:
        return {ALWAYS: ALL}
    if policy["refundableTag"] != REFUNDABLE or not policy["cancelPolicyInfos"]:
        raise ValueError("the cost of cancelling is not given")
    found: Ladder = {}
    for step in policy["cancelPolicyInfos"]:
        at, share = _certain_time_of(step), _share_of(step, currency)
        if found.setdefault(at, share) != share:
            raise ValueError("two amounts for one instant")
    return found


def _step(at: datetime, rooms: list[Ladder], total_cents: int) -> PenaltyStep:
    """What all rooms together cost from `at` on. Raises ValueError where that depends on what each of them costs."""
    shares = [_in_force(room, at) for room in rooms]
    if len({share.percent for share in shares}) > 1:
        raise ValueError("percentages of prices that are not given")
    return PenaltyStep(None if at == ALWAYS else at, _cost(shares, total_cents))


def _in_force(room: Ladder, at: datetime) -> _Share:
    begun = [begins for begins in room if begins <= at]
    return room[max(begun)] if begun else _Share()


def _of_room(policy: Any, currency: str, now: datetime) -> _Share:
    """That of the step whose time has passed most recently."""
    if policy["refundableTag"] != REFUNDABLE:
        return ALL
    steps = [(_time_of(step), step) for step in policy.get("cancelPolicyInfos") or []]
    begun = [pair for pair in steps if pair[0] <= now]
    if not begun:
        return _Share()
    _, step = max(begun, key=lambda pair: pair[0])
    return _share_of(step, currency)


def _share_of(step: Any, currency: str) -> _Share:
    """An amount in the booking's currency, or a percentage; anything else cannot be predicted."""
    kind, amount = str(step.get("type") or "amount").lower(), max(Decimal(0), number(step["amount"]))
    if kind.startswith("percent"):
        return _Share(percent=amount)
    if kind == "amount" and (step.get("currency") or currency) == currency:
        return _Share(cents=to_cents(amount, currency))
    raise ValueError("an amount of a kind that is not known")


def _time_of(step: Any) -> datetime:
    """`YYYY-MM-DD HH:MM:SS` in the step's own zone. Raises ValueError."""
    text = str(step["cancelTime"])
    for form in TIME_FORMATS:
        try:
            return datetime.strptime(text, form).replace(tzinfo=zone_of(step.get("timezone") or "GMT"))
        except ValueError:
            continue
    told = datetime.fromisoformat(text)
    return told if told.tzinfo else told.replace(tzinfo=zone_of(step.get("timezone") or "GMT"))


def _certain_time_of(step: Any) -> datetime:
    """The same in UTC. Raises ValueError for what is no text, or in a zone that is not known."""
    if not isinstance(step["cancelTime"], str) or known_zone(step.get("timezone") or "GMT") is None:
        raise ValueError("a time that is not certain")
    return _time_of(step).astimezone(UTC)


def zone_of(name: str) -> tzinfo:
    """The zone where any time comes first where this one is not known."""
    return known_zone(name) or EARLIEST_ZONE


def known_zone(name: str) -> tzinfo | None:
    """A zone by its name or its distance from Greenwich."""
    if name in ("GMT", "UTC", "Z"):
        return UTC
    if match := OFFSET.fullmatch(name):
        sign, hours, minutes = match.groups()
        offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
        return timezone(-offset if sign == "-" else offset) if offset < timedelta(days=1) else None
    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError, RecursionError):  # ZoneInfoNotFoundError is a KeyError
        return None
