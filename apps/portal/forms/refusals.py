"""What a service refuses, said beside the field it speaks of."""

from collections.abc import Mapping

from django import forms

from apps.gateway.errors import InvalidRequest


def say(form: forms.Form, refusal: InvalidRequest, fields: Mapping[str, str]) -> None:
    """`fields`: the form's field for each of the service's, the first part of a dotted path. What has none is said above all."""
    for detail in refusal.extras["details"] or [{"field": "", "message": refusal.message}]:  # type: ignore[attr-defined]
        form.add_error(fields.get(detail["field"].partition(".")[0]), detail["message"])
