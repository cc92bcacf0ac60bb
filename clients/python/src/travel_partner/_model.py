"""What all values of the API share."""

from typing import Any

import msgspec

HIDDEN = {"secret"}


class Model(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A value as the service sends or takes it. Fields that this version does not know are skipped."""

    def to_dict(self) -> dict[str, Any]:
        """As it is on the wire, with the names that are used there."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return found

    def __repr__(self) -> str:
        """Without secrets: what is printed or logged is read by many."""
        shown = (
            f"{name}={'…' if name in HIDDEN else repr(getattr(self, name))}"
            for name in self.__struct_fields__
        )
        return f"{type(self).__name__}({', '.join(shown)})"
