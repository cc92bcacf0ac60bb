"""How far a key's deliveries were forwarded, kept in a file."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson

LOOK_BACK = timedelta(seconds=60)
"""Deliveries that were committed a little later than their time says are still found."""
THE_BEGINNING = datetime(1970, 1, 2, tzinfo=UTC)  # the position of a key that has no deliveries yet


@dataclass
class Position:
    """How far a key's deliveries were forwarded: the newest time, and the events around it."""

    path: Path
    newest: datetime | None = None
    seen: dict[str, datetime] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Position":
        """The position that `path` contains; an unknown one where there is no such file."""
        if not path.exists():
            return cls(path)
        kept = orjson.loads(path.read_bytes())
        seen = {event_id: datetime.fromisoformat(at) for event_id, at in kept["seen"].items()}
        return cls(path, datetime.fromisoformat(kept["newest"]), seen)

    def is_before(self, instant: datetime) -> bool:
        """Whether a delivery of `instant` may still have to be forwarded."""
        return self.newest is None or instant > self.newest - LOOK_BACK

    def passed(self, event_id: str, instant: datetime) -> None:
        """Note that the event was forwarded. The file is replaced as a whole, so it is never half written."""
        self.seen[event_id] = instant
        self.start_at(max(self.newest or instant, instant))

    def start_at(self, newest: datetime) -> None:
        """Move to `newest`, forget the events long before it, and write the file."""
        self.newest = newest
        self.seen = {id: at for id, at in self.seen.items() if at > newest - LOOK_BACK}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_bytes(orjson.dumps({"newest": self.newest, "seen": self.seen}))
        fresh.replace(self.path)
