"""How far a key's feed was forwarded, kept in a file."""

from dataclasses import dataclass
from pathlib import Path

import orjson


@dataclass
class Position:
    """The event after which to go on; None where nothing was ever forwarded."""

    path: Path
    after: str | None = None

    @classmethod
    def read(cls, path: Path) -> "Position":
        """The position that `path` contains; an unknown one where there is no such file."""
        if not path.exists():
            return cls(path)
        return cls(path, orjson.loads(path.read_bytes()).get("after"))

    def passed(self, event_id: str) -> None:
        """Note that all is forwarded up to this event. The file is replaced as a whole, so it is never half written."""
        self.after = event_id
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_bytes(orjson.dumps({"after": event_id}))
        fresh.replace(self.path)
