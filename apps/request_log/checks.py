"""A system check of the bodies: what is declared with `logged=True` can be logged."""

from typing import Any

from django.core.checks import CheckMessage, Error, register

from apps.request_log.redaction import logged_without_a_form


@register()
def logged_fields_have_a_form(**kwargs: Any) -> list[CheckMessage]:
    """Without it the first call would find out, when it is to be logged, and no call would be."""
    return [
        Error(
            f"{field} is declared with logged=True but has no form: the request log could not tell "
            "its values from free text, which may name a traveller.",
            hint="Use a field of apps.gateway.fields that has a form, give its class one from "
            "apps.gateway.value_forms, or leave logged=True out.",
            id="request_log.E001",
        )
        for field in logged_without_a_form()
    ]
