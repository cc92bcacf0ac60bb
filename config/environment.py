"""The environment as the settings read it: what cannot be meant is refused as the process starts, by the variable's name."""

import os
import re
from collections.abc import Callable
from typing import Any, TypeVar

import environ
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset(environ.Env.BOOLEAN_TRUE_STRINGS)
FALSE = frozenset({"", "0", "false", "n", "no", "off"})
Number = TypeVar("Number", int, float)


class Environment(environ.Env):  # type: ignore[misc]  # the library has no types
    """Reads variables. No number is negative."""

    def get_value(self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, **more: Any) -> Any:
        """Called by `int`, `bool` and the others. Raises ImproperlyConfigured."""
        return self._read(var, cast, default, **more)

    def above_zero(self, cast: type[Number], var: str, *, default: Number) -> Number:
        """A number that must not be 0. Raises ImproperlyConfigured."""
        found: Number = self._read(var, cast, default, above_zero=True)
        return found

    def _read(self, var: str, cast: Any, default: Any, *, above_zero: bool = False, **more: Any) -> Any:
        said = os.environ.get(var, "$")
        names_another = said.startswith("$")
        is_checked = isinstance(cast, type) and cast in FORMS and not names_another
        if is_checked and not FORMS[cast][1](said.strip()):
            raise refused(var, said, FORMS[cast][0])
        found = super().get_value(var, cast=cast, default=default, **more)
        if is_checked and (found <= 0 if above_zero else found < 0):
            raise refused(var, said, "above 0" if above_zero else "0 or more")
        return found

    def seconds(self, var: str, *, default: list[int]) -> list[int]:
        """Whole seconds with commas, one at least. Raises ImproperlyConfigured."""
        said: list[str] = self.list(var, default=[str(one) for one in default])
        if not said or not all(re.fullmatch(r" *[0-9]+ *", one) for one in said):
            raise refused(var, ",".join(said), "whole seconds with commas")
        return [int(one) for one in said]

    def fernet_keys(self, var: str) -> list[str]:
        """At least one. Raises ImproperlyConfigured, whose text contains no key."""
        keys: list[str] = self.list(var)
        if not keys:
            raise ImproperlyConfigured(f"{var} is empty.")
        for number, key in enumerate(keys, start=1):
            try:
                Fernet(key)
            except ValueError:
                raise ImproperlyConfigured(
                    f"Key {number} of {var} is not a Fernet key: 32 bytes in URL-safe base64."
                ) from None
        return keys


def refused(var: str, said: str, must_be: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{var} is {said!r}, and must be {must_be}.")


FORMS: dict[Any, tuple[str, Callable[[str], bool]]] = {
    bool: ("true or false", lambda text: text.lower() in TRUE | FALSE),
    int: ("a whole number", lambda text: re.fullmatch(r"-?[0-9]+", text) is not None),
    float: ("a number", lambda text: re.fullmatch(r"-?[0-9]*\.?[0-9]+", text) is not None),
}
