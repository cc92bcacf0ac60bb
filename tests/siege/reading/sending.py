"""Sends a case and names what came of it (see `cases`)."""

import time
from dataclasses import dataclass

from tests.siege.reading.cases import CASES, Case
from tests.siege.wire import Answer, call, connected, read_by

SECONDS = 30.0
REFUSALS = {*range(400, 500), 501, 505}


@dataclass(frozen=True)
class Result:
    case: Case
    outcome: str
    answer: Answer

    @property
    def is_fine(self) -> bool:
        return self.outcome in self.case.allowed

    def __str__(self) -> str:
        said = self.answer.body[:80].decode("latin-1").replace("\r\n", " ") if not self.is_fine else ""
        mark = "" if self.is_fine else f"  NOT AS IT SHOULD BE ({' or '.join(self.case.allowed)})  {said}"
        return f"{self.case.name:48} {self.answer.status or self.answer.end!s:8} {self.outcome}{mark}"


def send(case: Case, port: int, key: str, account_id: str) -> Result:
    raw = filled(case.raw, port, key)
    answer = call(port, raw, seconds=SECONDS, half_close=case.half_close)
    return Result(case, outcome(answer, account_id, port, raw), answer)


def filled(raw: bytes, port: int, key: str) -> bytes:
    """With what is only known now. Both keys of a request that has two are one and the same."""
    unique = f"reading-{time.monotonic_ns()}"
    for name, value in {"key": key, "unique": unique, "port": str(port), "host": f"127.0.0.1:{port}"}.items():
        raw = raw.replace(b"{%s}" % name.encode(), value.encode())
    return raw


def outcome(answer: Answer, account_id: str, port: int, raw: bytes) -> str:  # noqa: C901 - one line an outcome
    if not answer.status:
        return "closed" if answer.end in {"closed", "reset"} else "silent"
    fields = details(answer)
    if answer.status == 200 and isinstance(answer.json, dict) and answer.json.get("id") == account_id:
        return "account"
    if answer.status < 300:
        return "taken"
    if answer.status == 400 and "probe" in fields:
        return "probe"
    if answer.status == 400 and "X-Partner-Customer-Ref" in fields:
        return "trigger"
    if answer.status == 400 and {"origin", "destination"} <= fields:
        return "empty"
    if (
        answer.status == 400
        and answer.is_enveloped
        and answer.json["error"]["type"] == "idempotency_key_required"
    ):
        return "unkeyed"
    if answer.status == 401 and answer.is_enveloped:
        return "keyless"
    if answer.status in REFUSALS and answer.headers.get("content-type", "").startswith("text/html"):
        return "page"
    if answer.status in REFUSALS:
        return "refused" if answer.is_enveloped or closes(answer, port, raw) else "bare, open"
    return "failed"


def details(answer: Answer) -> set[str]:
    if not answer.is_enveloped:
        return set()
    return {str(detail["field"]) for detail in answer.json["error"].get("details", [])}


def closes(answer: Answer, port: int, raw: bytes) -> bool:
    """Whether a bare refusal ends the connection: it says so, or a second request on it is not answered."""
    if answer.headers.get("connection", "").lower() == "close":
        return True
    with_another = call_twice(port, raw)
    return not with_another


def call_twice(port: int, raw: bytes) -> bool:
    """Whether something is answered after the answer to `raw` on the same connection."""
    try:
        with connected(port) as connection:
            connection.sendall(raw)
            if not read_by(connection, seconds=SECONDS).status:
                return False
            connection.sendall(b"GET /v1/ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            return read_by(connection, seconds=SECONDS).status == 200
    except OSError:
        return False


def all_results(port: int, key: str, account_id: str) -> list[Result]:
    return [send(case, port, key, account_id) for case in CASES]
