"""The judge's memory: what it was asked, and what it really did."""

import threading
from collections import Counter, defaultdict
from typing import Any

from apps.suppliers.simulation import AlreadyWrittenError, Write


class Books:
    """A `Store` without the rule that a reference is used once: a second booking is made, and seen."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.writes: list[Write] = []
        self.first_by_ref: dict[tuple[str, str], Write] = {}
        self.by_reference: defaultdict[str, list[Write]] = defaultdict(list)
        self.calls: Counter[str] = Counter()
        self.calls_by_ref: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def add(self, write: Write) -> None:
        with self.lock:
            if len(self.by_reference[write.reference]) != write.sequence:
                raise AlreadyWrittenError(write.client_ref)
            self.by_reference[write.reference].append(write)
            self.first_by_ref.setdefault((write.kind, write.client_ref), write)
            self.writes.append(write)

    def find(self, kind: str, client_ref: str) -> Write | None:
        return self.first_by_ref.get((kind, client_ref))

    def latest(self, reference: str) -> Write | None:
        writes = self.by_reference.get(reference)
        return writes[-1] if writes else None

    def called(self, method: str, client_ref: str | None) -> int:
        """Note the call; answers how often this method was called with this reference."""
        with self.lock:
            self.calls[method] += 1
            if client_ref is None:
                return 1
            self.calls_by_ref[client_ref][method] += 1
            return self.calls_by_ref[client_ref][method]

    def written(self) -> list[str]:
        """Our references of all that was really made, each as often as it was made."""
        with self.lock:
            return [write.client_ref for write in self.writes]

    def report(self) -> dict[str, Any]:
        with self.lock:
            return {
                "calls": dict(self.calls),
                "callsByRef": {ref: dict(calls) for ref, calls in self.calls_by_ref.items()},
                "writes": [
                    {
                        "kind": w.kind,
                        "clientRef": w.client_ref,
                        "reference": w.reference,
                        "sequence": w.sequence,
                    }
                    for w in self.writes
                ],
                "records": {
                    reference: writes[-1].record for reference, writes in self.by_reference.items() if writes
                },
            }
