"""The environment as the settings read it: what cannot be meant is refused as the process starts, by the variable's name."""

import os
import re
from collections.abc import Callable
from typing import Any

import environ
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset(environ.Env.BOOLEAN_TRUE_STRINGS)
FALSE = frozenset({"", "0", "false", "n", "no", "off"})


class Environment(environ.Env):  # type: ignore[misc]  # the library has no types
    """Reads variables. Numbers are not negative, and those of `above_zero` are not 0 either: the service would stand still."""

    def __init__(self, *, above_zero: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self._above_zero = above_zero

    def get_value(self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, **more: Any) -> Any:
        """Called by `int`, `bool` and the others. Raises ImproperlyConfigured."""
        said = os.environ.get(var, "$")
        is_checked = (
            isinstance(cast, type) and cast in FORMS and not said.startswith("$")
        )  # which names another
        if is_checked and not FORMS[cast][1](said.strip()):
            raise refused(var, said, FORMS[cast][0])
        found = super().get_value(var, cast=cast, default=default, **more)
        if is_checked and found <= 0 and cast is not bool:
            self._refuse_below(var, said, found)
        return found

    def _refuse_below(self, var: str, said: str, found: float) -> None:
        if var in self._above_zero:
            raise refused(var, said, "above 0")
        if found < 0:
            raise refused(var, said, "0 or more")

    def seconds(self, var: str, *, default: list[int]) -> list[int]:
        """Whole seconds with commas, one at least. Raises ImproperlyConfigured."""
        said: list[str] = self.list(var, default=[str(one) for one in default])
        if not said or not all(re.fullmatch(r" *[0-9]+ *", one) for one in said):
            raise refused(var, ",".join(said), "whole seconds with commas")
        return [int(one) for one in said]

    def fernet_keys(self, var: str) -> list[str]:
        """One at least. Raises ImproperlyConfigured, which tells none of them."""
        keys: list[str] = self.list(var)
        if not keys:
            raise ImproperlyConfigured(f"{var} is empty.")
        for number, key in enumerate(keys, start=1):
            try:
                Fernet(key)
            except ValueError:
                raise ImproperlyConfigured(
                    f"Key {number} of {var} is no Fernet key: 32 bytes in URL-safe base64."
                ) from None
        return keys


def refused(var: str, said: str, must_be: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{var} is {said!r}, and must be {must_be}.")


FORMS: dict[Any, tuple[str, Callable[[str], bool]]] = {
    bool: ("true or false", lambda text: text.lower() in TRUE | FALSE),
    int: ("a whole number", lambda text: re.fullmatch(r"-?[0-9]+", text) is not None),
    float: ("a number", lambda text: re.fullmatch(r"-?[0-9]*\.?[0-9]+", text) is not None),
}
