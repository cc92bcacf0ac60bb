"""What a service refuses, shown beside the form's field it is about."""

from collections.abc import Mapping

from django import forms

from apps.common.errors import InvalidRequest


def add_errors(form: forms.Form, refusal: InvalidRequest, fields: Mapping[str, str]) -> None:
    """Add each detail of `refusal` to `form`.

    `fields` maps a field of the service (the first part of a dotted path) to a field of the form. A detail about any other field
    is shown above the form.
    """
    details = refusal.extras["details"] or [{"field": "", "message": refusal.message}]
    for detail in details:  # type: ignore[attr-defined]
        form.add_error(fields.get(detail["field"].partition(".")[0]), detail["message"])
