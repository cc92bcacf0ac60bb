"""A recording of a supplier (`manage.py record_supplier`), played again over HTTP.

    with serving(Replay(path)) as stub:
        adapter = …  # with stub.url as each base address

Each request is answered by the next answer that was recorded for its method and path; the last one is repeated.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.support.supplier_stub import Answer, Heard, SupplierStub


class Replay(SupplierStub):
    def __init__(self, path: Path) -> None:
        super().__init__()
        told: dict[str, Any] = json.loads(path.read_text())
        self.client_ref = str(told["clientRef"])
        self._answers: defaultdict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        for exchange in told["exchanges"]:
            self._answers[exchange["method"], exchange["path"]].append(exchange)

    def _answer(self, heard: Heard) -> Answer:
        waiting = next(
            (
                answers
                for (method, path), answers in self._answers.items()
                if method == heard.method
                and heard.path.endswith(path)  # whatever the base address has before it
            ),
            None,
        )
        if not waiting:
            return 404, {"error": f"{heard.method} {heard.path} was not recorded"}
        one = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        answered = one["answered"]
        body = answered.encode() if isinstance(answered, str) else answered
        return one["status"], body, one["headers"]
