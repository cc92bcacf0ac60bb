"""The bases of request bodies and answers. Each field of a body is declared once, on its serializer.

From that declaration come validation, the OpenAPI document, what the request log keeps, the examples of the reference page and
the tables of the documentation.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any, TypeVar

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.fields import SkipField, empty
from rest_framework.settings import api_settings

from apps.common.errors import GatewayError, InvalidRequest
from apps.gateway import declared, fields
from apps.gateway.declared import Declared
from apps.keys.scopes import GRANTABLE

ENVIRONMENTS = ("test", "live")
UNKNOWN = "is not a property of this request"
ITSELF: str = api_settings.NON_FIELD_ERRORS_KEY
"""The name under which DRF keeps the faults of an object as a whole. No body can have a member of that name."""

Rule = TypeVar("Rule", bound=Callable[..., None])


def checks(*members: str) -> Callable[[Rule], Rule]:
    """Declare that a method of a body checks these members together:

        @checks("origin", "destination")
        def differ(self, given: dict[str, Any]) -> None:

    It runs when none of them is wrong, whatever else is. `given` has the members that are good; of those that may be left out
    perhaps not all. The method raises ValidationError, and may put into `given` what was left out.
    """

    def declared(rule: Rule) -> Rule:
        rule.checked = frozenset(members)  # type: ignore[attr-defined]
        return rule

    return declared


class Body(Declared, serializers.Serializer[Any]):
    """A request body or an object inside one. Refuses unknown properties by name at every depth (specification §4, rule 3)."""

    default_error_messages = declared.OF_OBJECTS

    @cached_property
    def rules(self) -> list[tuple[frozenset[str], Callable[[dict[str, Any]], None]]]:
        """The methods that are declared with `@checks`, in their order, each with the members it needs."""
        names = dict.fromkeys(
            name
            for owner in reversed(type(self).__mro__)
            for name, method in vars(owner).items()
            if hasattr(method, "checked")
        )
        rules = [getattr(self, name) for name in names]
        return [(rule.checked, rule) for rule in rules]

    def to_internal_value(self, data: Any) -> Any:
        """Reports all faults at once: of the members, unknown names, and what `@checks` says of the members that are good."""
        if not isinstance(data, dict):
            return super().to_internal_value(data)
        value: dict[str, Any] = {}
        faults: dict[str, Any] = {}
        for name, field in self.fields.items():
            check = getattr(self, f"validate_{name}", None)
            try:
                found = field.run_validation(data.get(name, empty))
                value[name] = found if check is None else check(found)
            except SkipField:
                continue
            except serializers.ValidationError as refused:
                faults[name] = refused.detail
        for members, rule in self.rules:
            if not faults or members.isdisjoint(faults):
                try:
                    rule(value)
                except serializers.ValidationError as refused:
                    _add(faults, refused.detail)
        unknown = data.keys() - self.fields.keys()
        if faults or unknown:
            raise serializers.ValidationError(self.in_order(faults, unknown))
        return value

    def in_order(self, faults: Mapping[str, Any], unknown: Iterable[str]) -> dict[str, Any]:
        """First what is wrong with the object itself, then its members as they are declared, then unknown names by the alphabet.

        The order of names in what was sent does not count: bodies that differ in nothing else are equal, and answered alike.
        """
        known = [name for name in (ITSELF, *self.fields) if name in faults]
        return {name: faults[name] for name in known} | {name: [UNKNOWN] for name in sorted(unknown)}


# An answer or an object inside one. `presenters` build answers; the tests compare every answer with its class. It has no
# docstring: the OpenAPI document would show it for every object.
class AnswerBody(Declared, serializers.Serializer[Any]):
    pass


def page_of(row: type[AnswerBody], *, order: str = "newest first") -> type[AnswerBody]:
    """The answer of a listing of `row`s (contract §1)."""
    rows = row(many=True, help_text=f"The rows of this page, {order}. Empty: none match.")
    return page_with(rows, f"{row.__name__.removesuffix('Answer')}Page", row.__module__)


def page_with(rows: serializers.Field[Any, Any, Any, Any], name: str, module: str) -> type[AnswerBody]:
    """The same with any field for its rows."""
    members = {
        "__doc__": "One page of a listing.",
        "data": rows,
        "hasMore": serializers.BooleanField(help_text="Whether another page follows this one."),
        "nextCursor": serializers.CharField(
            allow_null=True,
            help_text="Send it as `cursor`, with the same filters, to read the next page; `null` on the last page.",
        ),
    }
    return type(name, (AnswerBody,), {**members, "__module__": module})


def validate(body_class: type[serializers.Serializer[Any]], body: Mapping[str, object]) -> dict[str, Any]:
    """The validated body. Raises InvalidRequest with one detail a fault, each at its dotted path."""
    try:
        return dict(_serializer(body_class).run_validation(body))
    except serializers.ValidationError as refused:
        found = _faults(refused.detail, "")
    raise InvalidRequest(details=[{"field": field, "message": message} for field, message in found])


@cache
def _serializer(body_class: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """One for all threads: `run_validation` keeps nothing of a body, and a new one would copy every field it declares."""
    return body_class()


def _add(faults: dict[str, Any], told: Any) -> None:
    """Add what a rule says. A member that is wrong already is not blamed a second time."""
    for name, detail in (told if isinstance(told, Mapping) else {ITSELF: told}).items():
        faults.setdefault(name, detail if isinstance(detail, list) else [detail])


def _faults(errors: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(errors, Mapping):
        for name, below in errors.items():
            step = path if name == ITSELF else f"{path}.{name}" if path else name
            yield from _faults(below, step)
    elif isinstance(errors, list) and all(isinstance(item, ErrorDetail | str) for item in errors):
        for item in errors:
            yield path, str(item)
    elif isinstance(errors, list):
        for index, below in enumerate(errors):
            yield from _faults(below, f"{path}.{index}".lstrip("."))


class DetailBody(AnswerBody):
    field = serializers.CharField(
        help_text="Which field: a dotted path such as `slices.0.origin`, or the name of a parameter."
    )
    message = serializers.CharField(
        help_text="What is wrong with it, such as `is required`. It may change; do not match on it."
    )


class ErrorBody(AnswerBody):
    """`error` of the envelope. The fields after `detailsOmitted` are the extras of single types (`apps.common.errors`)."""

    type = fields.Word(
        [error.type for error in GatewayError.__subclasses__()],
        logged=True,
        help_text="What went wrong, as a constant. Branch on it. New types may be added.",
    )
    message = serializers.CharField(
        help_text="The same as a sentence for people. It may change; do not match on it."
    )
    requestId = fields.Id(
        logged=True,
        help_text="The request's UUID, the same as the header `X-Request-Id`. Quote it to support.",
    )
    docUrl = serializers.CharField(
        required=False,
        help_text=("A page that explains the type. Left out if this service has no documentation pages."),
    )
    details = DetailBody(
        many=True,
        required=False,
        help_text="One entry for each thing that is wrong with the request, 50 at most.",
        example={"field": "origin", "message": "QQQ is not an airport."},
        logged=True,
    )
    detailsOmitted = fields.Whole(
        required=False,
        since="1.2",
        help_text="How many more entries there are. Left out if all are given.",
        logged=True,
    )
    safeAfter = fields.Instant(
        required=False,
        help_text=(
            "When the signing secret may be rotated again. Only on rotating it twice within 24 hours."
        ),
        logged=True,
    )
    gatewayEnvironment = fields.Choice(
        ENVIRONMENTS, required=False, help_text="What this address serves.", example="live", logged=True
    )
    keyEnvironment = fields.Choice(
        ENVIRONMENTS, required=False, help_text="What the key belongs to.", example="test", logged=True
    )
    availableCents = fields.Cents(
        required=False, help_text="What your balance has available.", example=12_000, logged=True
    )
    requiredCents = fields.Cents(
        required=False, help_text="What the booking needs.", example=18_460, logged=True
    )
    limit = fields.Word(
        ["perBooking", "perDay", "perMonth", "approval"],
        required=False,
        since="1.3",
        help_text="Which spend limit of the key would be exceeded.",
        example="perDay",
        logged=True,
    )
    limitCents = fields.Cents(
        required=False, since="1.3", help_text="That limit.", example=200_000, logged=True
    )
    usedCents = fields.Cents(
        required=False,
        since="1.3",
        help_text="What counts towards the limit already: what the key has held in the day or month, less what was released.",
        example=190_000,
        logged=True,
    )
    resetsAt = fields.Instant(
        required=False,
        allow_null=True,
        since="1.3",
        help_text="When the limit's day or month is over; `null` for the limit of a booking.",
        logged=True,
    )
    missingScope = fields.Word(
        GRANTABLE,
        required=False,
        help_text="The scope that opens the operation.",
        example="hotels:book",
        logged=True,
    )
    product = fields.Choice(
        ["hotels", "flights", "transfers", "esim"],
        required=False,
        since="1.2",
        help_text="What is not offered here.",
        example="transfers",
        logged=True,
    )
    bookingId = fields.Id(
        required=False,
        help_text="The booking that carries the `externalReference`. Only then.",
        example="hbk_01JD3M8Q6W9Z5N2B7RXK4T0VCE",
        logged=True,
    )
    penaltyCents = fields.Cents(
        required=False,
        help_text="What cancelling costs, where that is above `maxPenaltyCents` or the cancellation quote.",
        logged=True,
    )
    refundTo = fields.Choice(
        ["airline_credit"],
        required=False,
        since="1.3",
        help_text="Where the refund would go that you have not accepted.",
        example="airline_credit",
        logged=True,
    )
    previousTotalCents = fields.Cents(
        required=False, help_text="The total as it was quoted.", example=18_460, logged=True
    )
    currentTotalCents = fields.Cents(
        required=False, help_text="The total as it is now.", example=19_120, logged=True
    )
    currency = fields.Currency(
        required=False, help_text="ISO 4217 code of the amounts, such as `EUR`.", example="EUR", logged=True
    )
    serviceId = fields.Id(
        required=False,
        allow_null=True,
        since="1.3",
        help_text=(
            "The bag or seat that is no longer sold; `null` if the airline does not say which of several."
        ),
        example="service_01JD3M8Q6W9Z5N2B7RXK4T0VCE0003",
        logged=True,
    )
    oldest = fields.Id(
        required=False,
        allow_null=True,
        since="1.2",
        help_text="The oldest event that the feed still has; `null`: it has none.",
        example="evt_01JD3M8Q6W9Z5N2B7RXK4T0VCE",
        logged=True,
    )
    retryAfter = fields.Whole(
        required=False,
        help_text=(
            "How many seconds to wait, as the header `Retry-After` says. Left out if there is no such header."
        ),
        example=17,
        logged=True,
    )


class Envelope(AnswerBody):
    error = ErrorBody(logged=True)
