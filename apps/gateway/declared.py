"""What a field of a body declares besides its validation, for the request log, the reference page and the document.

`logged`: the request log keeps values that have the field's form, and looks into an object or a list. It keeps nothing of a field
that does not say so. `example`: what the reference page sends, a value or a function that returns one. `since`: the release that
added the field, such as "1.2"; nothing for what was there in 1.1. The sentence for partners is DRF's `help_text`.

What validation says of a field is here too, in one voice: what the value must be, in words that follow the field's name
("guests must have at least 1 item"). DRF's own sentences are replaced, by its codes. No code branches on them.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from rest_framework import serializers
from rest_framework.fields import get_error_detail
from rest_framework.serializers import ListField, ListSerializer, Serializer

from apps.common import clock
from apps.gateway.operations import SINCE
from apps.gateway.value_forms import Form

Sentences = dict[str, Any]
"""By DRF's code. DRF may keep a sentence until it knows the language."""


class Counted(str):
    """A sentence that ends with a count and a thing, which stands in the singular beside a one."""

    __slots__ = ("thing",)
    thing: str

    def __new__(cls, sentence: str, thing: str) -> "Counted":
        found = super().__new__(cls, sentence)
        found.thing = thing
        return found

    def format(self, *args: Any, **values: Any) -> str:
        (count,) = values.values()
        return f"{super().format(*args, **values)} {things(count, self.thing)}"


def counted(count: int, thing: str) -> str:
    """1 adult, 2 adults, 2 children."""
    return f"{count} {things(count, thing)}"


def things(count: int, thing: str) -> str:
    if count == 1:
        return thing
    return {"child": "children"}.get(thing, f"{thing}s")


OF_ANY: Sentences = {
    "required": "is required",
    "null": "must not be null",
}
OF_TEXT: Sentences = {
    "invalid": "must be a string",
    "blank": "must not be empty",
    "max_length": Counted("must have at most {max_length}", "character"),
    "min_length": Counted("must have at least {min_length}", "character"),
}
OF_NUMBERS: Sentences = {
    "max_value": "must be at most {max_value}",
    "min_value": "must be at least {min_value}",
    "max_string_length": "must have fewer digits",
    "overflow": "must have fewer digits",
}
OF_LISTS: Sentences = {
    "not_a_list": "must be a list",
    "empty": "must not be empty",
    "max_length": Counted("must have at most {max_length}", "item"),
    "min_length": Counted("must have at least {min_length}", "item"),
}
OF_OBJECTS: Sentences = {"invalid": "must be an object"}


# A mixin for fields and for objects inside a body. It has no docstring: the OpenAPI document would show it for every object.
class Declared:
    default_error_messages: ClassVar[Sentences] = OF_ANY
    logged: bool = False
    example: Any = None
    form: Form | None = None
    """The form of values that the log may keep. None: it may keep none, as of free text."""
    since: str = ""
    sentence: str = ""
    """What the document says of a field without a `help_text`, where the class says enough."""
    notation: str = ""
    """How values of the class are written: the document says it after the field's own sentence."""
    notation_in_request: str = ""
    """The same for requests, if they differ."""

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


# --- Words of the document ------------------------------------------------------------------------------------------


def described(field: Any, *, in_request: bool = False) -> str:
    if not isinstance(field, Declared):
        return str(field.help_text or "")
    notation = (in_request and field.notation_in_request) or field.notation
    return " ".join(filter(None, (str(field.help_text or field.sentence), notation)))  # type: ignore[attr-defined]


def notes(field: Any, *, in_request: bool = False) -> dict[str, str]:
    """`description` and `x-since` as the document draws them beside the field's form."""
    declared = field.child if isinstance(field, ListSerializer) else field
    since = declared.since if isinstance(declared, Declared) else ""
    description = described(field, in_request=in_request)
    return ({"description": description} if description else {}) | ({SINCE: since} if since else {})


def example_of(field: Any) -> Any:
    """The field's own example, else one made of those below it, else None."""
    own = getattr(field, "example", None)
    if own is not None:
        return own() if callable(own) else own
    if isinstance(field, Serializer):
        below = {name: example_of(child) for name, child in fields_of(field).items()}
        return {name: example for name, example in below.items() if example is not None} or None
    if isinstance(field, ListField | ListSerializer):
        item = example_of(field.child)
        return None if item is None else [item]
    return None
