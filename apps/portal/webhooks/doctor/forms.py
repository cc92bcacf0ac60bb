"""What the signature doctor asks for. Bounded, judged, and forgotten."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django import forms
from django.utils import timezone

from apps.portal.webhooks.deliveries.forms import shortened
from apps.webhooks.doctor.diagnosis import Pasted
from apps.webhooks.doctor.pasted import (
    BASE64,
    HEX,
    TEXT,
    body_of,
    headers_of,
)
from apps.webhooks.models import Endpoint

MAX_BODY_BYTES = 64 * 1024
MAX_HEADERS_CHARACTERS = 16 * 1024
MAX_SIGNATURE_CHARACTERS = 512
MAX_BODY_CHARACTERS = 3 * MAX_BODY_BYTES
"""Room for hexadecimal digits with spaces between them."""
TOO_LONG = f"At most {MAX_BODY_BYTES // 1024} KiB: no delivery of ours is larger."


class UtcField(forms.DateTimeField):
    """A time in UTC, whatever the reader's zone: a receiver's log is seldom written in it."""

    def to_python(self, value: Any) -> datetime | None:
        """Raises ValidationError also for a time with an offset of its own that is none in UTC."""
        with timezone.override(UTC):
            moment: datetime | None = super().to_python(value)
        try:
            return moment.astimezone(UTC) if moment else None
        except OverflowError:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from None


def area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"class": "mono", "rows": rows, "spellcheck": "false", "autocomplete": "off"})


class DoctorForm(forms.Form):
    endpoint = forms.ChoiceField(label="Endpoint", help_text="The one that was called.")
    headers = forms.CharField(
        max_length=MAX_HEADERS_CHARACTERS,
        widget=area(6),
        strip=False,
        required=False,
        help_text="All of the request, as your receiver or its log has them.",
    )
    body = forms.CharField(
        max_length=MAX_BODY_CHARACTERS,
        widget=area(8),
        strip=False,
        required=False,
        error_messages={"max_length": TOO_LONG},
        help_text="What your code checks, byte for byte; from the same request.",
    )
    written_as = forms.ChoiceField(
        label="The body is written",
        choices=[(TEXT, "as text"), (BASE64, "in base64"), (HEX, "in hexadecimal")],
        help_text="Base64 or hexadecimal keep every byte, line breaks too.",
    )
    computed = forms.CharField(
        label="What your code computed",
        max_length=MAX_SIGNATURE_CHARACTERS,
        required=False,
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off"}),
        help_text="The signature that it compares with ours. It tells what the code does differently.",
    )
    received_at = UtcField(
        label="When it arrived",
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1"}, format="%Y-%m-%dT%H:%M:%S"),
        help_text="UTC, by your receiver's clock. Without it the timestamp is not judged.",
    )

    def __init__(self, *args: Any, endpoints: Sequence[Endpoint], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._endpoints = {endpoint.pk: endpoint for endpoint in endpoints}
        choices = [(endpoint.pk, shortened(endpoint.url)) for endpoint in endpoints]
        self.fields["endpoint"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if "body" not in given or "written_as" not in given:
            return given
        try:
            given["bytes"] = body_of(given["body"], given["written_as"])
        except ValueError:
            self.add_error("body", "This cannot be decoded: choose how it is written.")
            return given
        if len(given["bytes"]) > MAX_BODY_BYTES:
            self.add_error("body", TOO_LONG)
        return given

    def chosen_endpoint(self) -> Endpoint:
        return self._endpoints[self.cleaned_data["endpoint"]]

    def pasted(self) -> Pasted:
        given = self.cleaned_data
        return Pasted(headers_of(given["headers"]), given["bytes"], given["computed"], given["received_at"])
