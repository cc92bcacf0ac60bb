"""How the judge can be told to misbehave.

A fault waits for calls of one method and spoils `times` of them: `hang` and `reset` after the call was
carried out, `drop` before it; `reject` and `unavailable` refuse it; `delay` carries it out after `seconds`
and answers as usual.
"""

import threading
from dataclasses import dataclass

KINDS = ("hang", "reset", "drop", "reject", "unavailable", "delay")


@dataclass(slots=True)
class Fault:
    """`client_ref` None spoils the calls of any reference. `seconds`: how long to hang, or to wait."""

    method: str
    kind: str
    times: int = 1
    seconds: float = 60.0
    client_ref: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"no such fault: {self.kind}")


class Faults:
    """The faults still to come, the first that fits first."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.waiting: list[Fault] = []

    def plan(self, fault: Fault) -> None:
        with self.lock:
            self.waiting.append(fault)

    def next_for(self, method: str, client_ref: str | None) -> Fault | None:
        with self.lock:
            for fault in self.waiting:
                if fault.method == method and fault.client_ref in (None, client_ref):
                    fault.times -= 1
                    if fault.times == 0:
                        self.waiting.remove(fault)
                    return fault
        return None
