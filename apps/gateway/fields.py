"""The fields of requests and answers: one class for each kind of value.

Requests are validated with them, from real JSON types alone: DRF's own also read "1_0", 1e2, non-ASCII digits or 2027-W01-1.
Answers are built by `presenters` and only described by them; there DRF's own fields do as well if the request log keeps nothing
of the value. Bounds and patterns are in the document for requests only.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from django.core.validators import EmailValidator
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.validators import ProhibitSurrogateCharactersValidator

from apps.common import clock
from apps.common.validators import COUNTRIES, EmailAddressValidator, name_fault
from apps.gateway import declared, value_forms
from apps.gateway.declared import Declared
from apps.gateway.value_forms import Form

ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
LOCAL_DATE_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?")
TIME_OF_DAY = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
AIRLINE = re.compile(r"[A-Z][A-Z0-9]|[0-9][A-Z]")

# What the OpenAPI document says of a text, as far as a pattern that every engine reads can say it.
NOT_BLANK = r"[^\s\x1c-\x1f\x85]"  # the separators that Python trims as well, and \s does not name everywhere
WITHOUT_CONTROLS = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"


IS_A_PLACE_ID = "is a placeId; send the `code` of the place"


class Text(Declared, serializers.CharField):
    """A string, trimmed, 1 to 255 characters unless declared otherwise (contract §2, fine print)."""

    default_error_messages = {
        **declared.OF_TEXT,
        "unprintable": "must have printable characters only",
    }

    pattern = ""
    """The form in the OpenAPI document, if a subclass has one of its own."""

    def __init__(self, *, max_length: int = 255, printable: bool = False, **more: Any) -> None:
        self.printable = printable
        super().__init__(max_length=max_length, **more)
        # It walks every character in Python, too long a text included; the body's parser has refused what it looks for.
        self.validators = [
            one for one in self.validators if not isinstance(one, ProhibitSurrogateCharactersValidator)
        ]

    @property
    def documented_pattern(self) -> str:
        """What a value looks like; empty if it may be blank."""
        if self.pattern or self.allow_blank:
            return self.pattern
        return WITHOUT_CONTROLS if self.printable else NOT_BLANK

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if self.printable and not data.strip().isprintable():
            self.fail("unprintable")
        return str(super().to_internal_value(data))


class PersonName(Text):
    """The name of a person, in any script."""

    def __init__(self, **more: Any) -> None:
        super().__init__(printable=True, **more)

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        name = data.strip()
        if fault := name_fault(name):
            raise serializers.ValidationError(fault)
        return name


class Country(Text):
    """The code of a country that exists, in capitals."""

    notation = "ISO 3166-1 alpha-2 code, such as `PT`."
    notation_in_request = "ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is Kosovo."
    pattern = "^[A-Z]{2}$"
    form = value_forms.IS_TWO_CAPITALS

    default_error_messages = {"unknown": "is not an ISO 3166-1 alpha-2 country code, such as PT"}

    def to_internal_value(self, data: object) -> str:
        code = super().to_internal_value(data)
        if code not in COUNTRIES:
            self.fail("unknown")
        return code


class Airport(Text):
    """An IATA airport code in capitals."""

    notation = "IATA code, such as `LIS`."
    notation_in_request = "IATA code in capitals, such as `LIS`."
    pattern = "^[A-Z]{3}$"
    form = value_forms.IS_THREE_CAPITALS
    default_error_messages = {"place": IS_A_PLACE_ID}

    def to_internal_value(self, data: object) -> str:
        code = super().to_internal_value(data)
        if code.startswith("plc_"):
            self.fail("place")
        return code


class Airline(Text):
    """An IATA airline code: two characters in capitals, one of them a letter at least."""

    notation = "IATA code, such as `TP`."
    notation_in_request = "IATA code of an airline in capitals, such as `TP`."
    pattern = f"^(?:{AIRLINE.pattern})$"
    form = value_forms.IS_AIRLINE

    default_error_messages = {"unknown": "is not an IATA airline code, such as TP"}

    def to_internal_value(self, data: object) -> str:
        code = super().to_internal_value(data)
        if not AIRLINE.fullmatch(code):
            self.fail("unknown")
        return code


class Currency(Text):
    sentence = "ISO 4217 code of the amounts next to it, such as `EUR`."
    form = value_forms.IS_THREE_CAPITALS


class Id(Text):
    """An id of our own, such as `offer_…`, or a UUID. Whether it exists is for the service to say."""

    form = value_forms.IS_ID


class Reference(Text):
    """A booking reference, such as `F-2K7M9QXR`."""

    form = value_forms.IS_REFERENCE


class PlaceName(Text):
    """The name of a city, in any script."""

    form = value_forms.IS_PLACE_NAME


class Whole(Declared, serializers.IntegerField):
    """A JSON integer; true, "5" and 5.0 are none."""

    form = value_forms.IS_SMALL_NUMBER
    default_error_messages = {**declared.OF_NUMBERS, "invalid": "must be a whole number"}

    def to_internal_value(self, data: object) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class Cents(Whole):
    """Minor units; in a request of the account's currency, and not negative."""

    notation = "In minor units of `currency`."
    notation_in_request = "In minor units of your account's currency."
    form = value_forms.IS_CENTS

    def __init__(self, **more: Any) -> None:
        super().__init__(min_value=0, max_value=10**12, **more)


class Number(Declared, serializers.FloatField):
    form = value_forms.IS_SMALL_NUMBER
    default_error_messages = {**declared.OF_NUMBERS, "invalid": "must be a number"}

    def to_internal_value(self, data: object) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return float(data)


class Flag(Declared, serializers.BooleanField):
    """true or false, nothing that resembles them. The request log keeps every true and false."""

    default_error_messages = {"invalid": "must be true or false"}

    def to_internal_value(self, data: object) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class Day(Declared, serializers.DateField):
    """A date in exactly the form YYYY-MM-DD."""

    notation = "`YYYY-MM-DD`."
    form = value_forms.IS_DATE
    default_error_messages = dict.fromkeys(("invalid", "datetime"), "must be a date in the form YYYY-MM-DD")

    def to_internal_value(self, data: object) -> date:
        if not isinstance(data, str) or not ISO_DATE.fullmatch(data):
            self.fail("invalid")
        try:
            return date.fromisoformat(data)
        except ValueError:
            self.fail("invalid")


class Instant(Declared, serializers.DateTimeField):
    """An instant: any offset in requests, UTC in answers."""

    notation = "RFC 3339, in UTC."
    notation_in_request = "RFC 3339."
    form = value_forms.IS_DATE_TIME
    default_error_messages = {"invalid": "must be an instant with its offset, such as 2027-02-03T14:30:00Z"}

    def to_internal_value(self, data: object) -> datetime:
        if not isinstance(data, str):
            self.fail("invalid")
        try:
            return clock.read_rfc3339(data).astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail("invalid")


@extend_schema_field({"type": "string", "minLength": 1})
class LocalDateTime(Declared, serializers.DateTimeField):
    """A local date-time without offset, YYYY-MM-DDTHH:MM[:SS]; one with an offset is refused (contract §3, Transfers)."""

    notation = "`YYYY-MM-DDTHH:MM:SS`, without offset."
    form = value_forms.IS_DATE_TIME
    default_error_messages = dict.fromkeys(
        ("invalid", "date", "make_aware", "overflow"),
        "must be a local date-time without offset, such as 2027-02-03T14:30:00",
    )

    def to_internal_value(self, data: object) -> datetime:
        if not isinstance(data, str) or not LOCAL_DATE_TIME.fullmatch(data):
            self.fail("invalid")
        try:
            return datetime.fromisoformat(data)
        except ValueError:
            self.fail("invalid")


class TimeOfDay(Text):
    """A time of the clocks at a place, HH:MM."""

    notation = "`HH:MM`, local time."
    pattern = f"^{TIME_OF_DAY.pattern}$"
    form = value_forms.IS_TIME_OF_DAY
    default_error_messages = {"form": "must be a local time in the form HH:MM, from 00:00 to 23:59"}

    def to_internal_value(self, data: object) -> str:
        told = super().to_internal_value(data)
        if not TIME_OF_DAY.fullmatch(told):
            self.fail("form")
        return told


class Choice(Declared, serializers.ChoiceField):
    """One of a few strings, spelled exactly. The refusal lists them and does not repeat what was sent.

    In an answer, one of the values known today: the document says that others may follow (specification §9).
    """

    default_error_messages = {"invalid_choice": "must be one of {known}"}

    def to_internal_value(self, data: object) -> Any:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", known=", ".join(self.choices))
        return super().to_internal_value(data)

    def log_form(self) -> Form:
        return value_forms.OneOf(self.choices)


class Constant(Choice):
    """In an answer: always the same string, by which an object is known from others."""

    def __init__(self, value: str, **more: Any) -> None:
        super().__init__([value], **more)


class OneOf(Declared, serializers.Field[Any, Any, Any, Any]):
    """In an answer: an object of one of several kinds, which its member `tell_by`, a Constant, tells apart."""

    def __init__(
        self, tell_by: str, kinds: Mapping[str, type[serializers.Serializer[Any]]], **more: Any
    ) -> None:
        super().__init__(**more)
        self.tell_by, self.kinds = tell_by, dict(kinds)


class Word(Declared, serializers.CharField):
    """In an answer: one of `words`, which the document does not list."""

    def __init__(self, words: Iterable[str], **more: Any) -> None:
        super().__init__(**more)
        self.words = tuple(words)

    def log_form(self) -> Form:
        return value_forms.OneOf(self.words)


class Email(Declared, serializers.EmailField):
    """An e-mail address of 255 characters at most."""

    default_error_messages = {
        **declared.OF_TEXT,
        "invalid": "must be an e-mail address",
    }

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=255, **more)
        others = [each for each in self.validators if not isinstance(each, EmailValidator)]
        self.validators = [*others, EmailAddressValidator(self.error_messages["invalid"])]

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class Many(Declared, serializers.ListField):
    """A list. A request's needs `max_length`: a longer one is refused without a look at its items.

    `logged`: the request log looks into the list, and keeps the items that have the form of `child`.
    """

    default_error_messages = declared.OF_LISTS
    max_length: int

    def to_internal_value(self, data: Any) -> list[Any]:
        if isinstance(data, list) and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        return list(super().to_internal_value(data))

    def log_form(self) -> Form | None:
        return self.child.log_form() if isinstance(self.child, Declared) else None


class ExternalReference(Text):
    """The partner's own reference: 1 to 64 printable characters."""

    sentence = (
        "Your own reference for the booking, 1 to 64 printable characters; spaces at its ends are cut off. A second booking with "
        "the reference of one that has not failed is refused with 409 `conflict`, which names the first one's `bookingId`. "
        "`null` is the same as none."
    )

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=64, printable=True, required=False, allow_null=True, **more)


class TripReference(ExternalReference):
    """The partner's own reference of a trip: as an ExternalReference, and shared by bookings of any product."""

    sentence = (
        "Your own reference for the trip that the booking belongs to, 1 to 64 printable characters; spaces at its ends are cut "
        "off. Any number of bookings of any product may share it. `GET /v1/bookings` lists all of a trip. `null` is the same "
        "as none."
    )

    def __init__(self) -> None:
        super().__init__(since="1.3")
