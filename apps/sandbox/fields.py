"""Request fields of the sandbox alone."""

from datetime import UTC, datetime

from rest_framework import serializers

from apps.common import clock
from apps.gateway import value_forms
from apps.gateway.declared import Declared


class Instant(Declared, serializers.DateTimeField):
    """An instant with its offset, RFC 3339."""

    notation = "RFC 3339."
    form = value_forms.IS_DATE_TIME
    default_error_messages = {"invalid": "must be an instant with its offset, such as 2027-02-03T14:30:00Z"}

    def to_internal_value(self, data: object) -> datetime:
        if not isinstance(data, str):
            self.fail("invalid")
        try:
            return clock.read_rfc3339(data).astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail("invalid")
