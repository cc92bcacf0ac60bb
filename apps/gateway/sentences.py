"""What validation says of a field, in one voice: what the value must be, in words that follow the field's name.

    guests  must have at least 1 item

DRF's own sentences are replaced here, by its codes. Messages are for people and may change; nobody branches on them.
"""

from typing import Any

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
        """With the count, which is the only value."""
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
