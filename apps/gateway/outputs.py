"""Fields of answers. They describe what `presenters` build; nothing is validated or converted with them.

DRF's own fields do as well, where the request log keeps nothing of the value.
"""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from apps.gateway import value_forms
from apps.gateway.declared import Declared
from apps.gateway.value_forms import Form


class Id(Declared, serializers.CharField):
    """An id of our own, such as `offer_…`, or a UUID."""

    form = value_forms.IS_ID


class Text(Declared, serializers.CharField):
    """A text that the request log keeps nothing of."""


class Flag(Declared, serializers.BooleanField):
    """true or false."""


class HotelId(Declared, serializers.CharField):
    """A hotel's id, which may be a supplier's number."""

    form = value_forms.IS_HOTEL_ID


class Reference(Declared, serializers.CharField):
    """A booking reference, such as `F-2K7M9QXR`."""

    form = value_forms.IS_REFERENCE


class Currency(Declared, serializers.CharField):
    """An ISO 4217 code."""

    sentence = "ISO 4217 code of the amounts beside it, such as `EUR`."
    form = value_forms.IS_THREE_CAPITALS


class Airport(Declared, serializers.CharField):
    """An IATA airport code."""

    notation = "IATA code, such as `LIS`."
    form = value_forms.IS_THREE_CAPITALS


class Country(Declared, serializers.CharField):
    """An ISO 3166-1 alpha-2 code."""

    notation = "ISO 3166-1 alpha-2 code, such as `PT`."
    form = value_forms.IS_TWO_CAPITALS


class Day(Declared, serializers.DateField):
    """A date."""

    notation = "`YYYY-MM-DD`."
    form = value_forms.IS_DATE


class Instant(Declared, serializers.DateTimeField):
    """An instant, written in UTC."""

    notation = "RFC 3339, in UTC."
    form = value_forms.IS_DATE_TIME


class LocalDateTime(Declared, serializers.CharField):
    """A date-time without offset."""

    notation = "`YYYY-MM-DDTHH:MM:SS`, without offset."
    form = value_forms.IS_DATE_TIME


class Whole(Declared, serializers.IntegerField):
    """A count, a duration, a position."""

    form = value_forms.IS_SMALL_NUMBER


class Score(Declared, serializers.FloatField):
    """A number with a fraction, of which the request log keeps nothing."""


class Cents(Declared, serializers.IntegerField):
    """Minor units of the currency beside it."""

    notation = "In minor units of `currency`."
    form = value_forms.IS_CENTS


class OneOf(Declared, serializers.ChoiceField):
    """One of the values known today. The document tells clients that others may follow (specification §9)."""

    def log_form(self) -> Form:
        return value_forms.OneOf(self.choices)


class Word(Declared, serializers.CharField):
    """One of `words`, which the document does not list."""

    def __init__(self, words: Iterable[str], **more: Any) -> None:
        super().__init__(**more)
        self.words = tuple(words)

    def log_form(self) -> Form:
        return value_forms.OneOf(self.words)


class Many(Declared, serializers.ListField):
    """A list. `logged`: the log keeps the items that have the form of `child`."""

    def log_form(self) -> Form | None:
        return self.child.log_form() if isinstance(self.child, Declared) else None
