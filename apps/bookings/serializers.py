"""Bodies that the products share: contacts, external references, cancellations, and the booking's common answer."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.gateway import fields, outputs
from apps.gateway.serializers import AnswerBody, Body


class Phone(fields.Text):
    """A phone number in E.164: +351210000000."""

    pattern = r"^\+[1-9][0-9]{6,14}$"

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=16, **more)

    def to_internal_value(self, data: object) -> str:
        value = super().to_internal_value(data)
        digits = value[1:]
        if value[:1] != "+" or not (digits.isascii() and digits.isdigit()):
            self.fail("form")
        if not 7 <= len(digits) <= 15 or digits[0] == "0":
            self.fail("form")
        return value

    default_error_messages = {"form": "must be a phone number in E.164, such as +351210000000"}


class ContactBody(Body):
    email = fields.Email(example="ada@example.com")
    phone = Phone(example="+351210000000")


class CancelBody(Body):
    """Every field is optional; an empty object cancels at whatever it costs."""

    reason = fields.Text(required=False)
    maxPenaltyCents = fields.Cents(required=False, logged=True)


@extend_schema_serializer(component_name="BookingSupplier")
class SupplierAnswer(AnswerBody):
    name = serializers.CharField()
    reference = serializers.CharField(allow_null=True)


@extend_schema_serializer(component_name="ExchangeRate")
class ExchangeAnswer(AnswerBody):
    """The rate that a supplier's prices were converted at: one unit of `base` is `rate` units of `quote`."""

    base = serializers.CharField()
    quote = serializers.CharField()
    rate = serializers.CharField(help_text="A decimal number, exact, as text")
    asOf = serializers.DateField()


@extend_schema_serializer(component_name="BookingCancellation")
class CancellationAnswer(AnswerBody):
    cancelledAt = outputs.Instant(logged=True)
    penaltyCents = outputs.Cents(logged=True)
    refundCents = outputs.Cents(logged=True)
    currency = outputs.Currency(logged=True)
    reason = serializers.CharField(allow_null=True)


def booking_answer(*statuses: str) -> type[AnswerBody]:
    """What every booking carries (contract §1), with the statuses of one product."""
    return type("BookingAnswer", (_BookingAnswer,), {"status": outputs.OneOf(statuses, logged=True)})


class _BookingAnswer(AnswerBody):
    id = outputs.Id(logged=True)
    reference = outputs.Reference(logged=True)
    externalReference = serializers.CharField(allow_null=True)
    environment = outputs.OneOf(["test", "live"], logged=True)
    totalCents = outputs.Cents(logged=True)
    currency = outputs.Currency(logged=True)
    createdAt = outputs.Instant(logged=True)
    updatedAt = outputs.Instant(logged=True)
    supplier = SupplierAnswer(logged=True)
    exchange = ExchangeAnswer(
        required=False,
        help_text=(
            "Only where the supplier charges in another currency: the rate of all the booking's amounts, "
            "fixed when it was quoted. A supplier's own terms, passed on word by word, stay in its currency."
        ),
    )
    cancellation = CancellationAnswer(allow_null=True, logged=True)


class PriceAnswer(AnswerBody):
    """A price as every offer carries it."""

    totalCents = outputs.Cents(logged=True)
    currency = outputs.Currency(logged=True)
    priceBasis = outputs.OneOf(["net"])
    suggestedRetailCents = outputs.Cents(logged=True)
