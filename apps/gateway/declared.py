"""What a field of a body declares besides its validation, for the request log, the reference page and the document.

`logged`: the request log keeps values that have the field's form, and looks into an object or a list. It keeps nothing of a field
that does not say so. `example`: what the reference page sends, a value or a function that returns one. `since`: the release that
added the field, such as "1.2"; nothing for what was there in 1.1. The sentence for partners is DRF's `help_text`.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from rest_framework import serializers
from rest_framework.fields import get_error_detail
from rest_framework.serializers import Serializer

from apps.common import clock
from apps.gateway import sentences
from apps.gateway.value_forms import Form


# A mixin for fields and for objects inside a body. It has no docstring: the OpenAPI document would show it for every object.
class Declared:
    default_error_messages: ClassVar[sentences.Sentences] = sentences.OF_ANY
    logged: bool = False
    example: Any = None
    form: Form | None = None
    """The form of values that the log may keep. None: it may keep none, as of free text."""
    since: str = ""
    sentence: str = ""
    """What the document says of a field without a `help_text`, where the class says enough."""
    notation: str = ""
    """How values of the class are written: the document says it after the field's own sentence."""

    validators: Any

    def __init__(
        self, *args: Any, logged: bool = False, example: Any = None, since: str = "", **more: Any
    ) -> None:
        super().__init__(*args, **more)
        if since:
            self.since = since
        if logged or example is not None:
            self.logged, self.example = logged, example

    def run_validators(self, value: Any) -> None:
        """As DRF's, for validators that need no context.

        Django's refusal lists itself, and its traceback holds the frames of the whole call: without it the body of the call is
        freed with the answer, and not only when Python next looks for such circles.
        """
        faults: list[Any] = []
        for validator in self.validators:
            try:
                validator(value)
            except ValidationError as refused:
                faults += get_error_detail(refused)
                refused.__traceback__ = None
        if faults:
            raise serializers.ValidationError(faults)

    def log_form(self) -> Form | None:
        return self.form


def fields_of(body: Serializer[Any]) -> dict[str, Any]:
    """The fields by name, not bound to a body."""
    return dict(body.get_fields())


def days_ahead(days: int) -> Callable[[], str]:
    """An example that is always a date in the future."""
    return lambda: (clock.today() + timedelta(days=days)).isoformat()
