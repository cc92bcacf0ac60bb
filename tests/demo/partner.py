"""A partner's own small client: a bearer key, an Idempotency-Key on every POST, and a word about what was not expected."""

import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import requests

from tests.demo.telling import Failed, line

CALL_SECONDS = 40
POLL_SECONDS = 90
PAUSE_SECONDS = 0.5


@dataclass(frozen=True)
class Answer:
    method: str
    path: str
    status: int
    body: Any
    headers: Any
    seconds: float

    @property
    def error_type(self) -> str | None:
        return self.body["error"]["type"] if isinstance(self.body, dict) and "error" in self.body else None


def direct_session() -> requests.Session:
    """One that goes straight to the service: a proxy for the internet has nothing to do with loopback."""
    session = requests.Session()
    session.trust_env = False
    return session


@dataclass
class Partner:
    """`partner.post("/v1/flights/searches", {...}, expect=201)`. Any other status ends the story."""

    base_url: str
    key: str
    session: requests.Session = field(default_factory=direct_session)

    def get(self, path: str, *, expect: int = 200, **headers: str) -> Answer:
        return self.call("GET", path, None, expect, headers)

    def post(
        self, path: str, body: object, *, expect: int = 200, key: str | None = None, trigger: str = ""
    ) -> Answer:
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        if trigger:
            headers["X-Partner-Customer-Ref"] = trigger
        return self.call("POST", path, body, expect, headers)

    def call(self, method: str, path: str, body: object, expect: int, headers: dict[str, str]) -> Answer:
        began = time.monotonic()
        try:
            response = self.session.request(
                method,
                self.base_url + path,
                json=body,
                headers={"Authorization": f"Bearer {self.key}", **headers},
                timeout=CALL_SECONDS,
            )
        except requests.RequestException as error:
            raise Failed(f"{method} {path} was not answered: {error}") from error
        seconds = time.monotonic() - began
        is_json = response.headers.get("Content-Type", "").startswith("application/json")
        found = response.json() if is_json else response.text
        answer = Answer(method, path, response.status_code, found, response.headers, seconds)
        if answer.status != expect:
            raise Failed(f"{method} {path} answered {answer.status}, not {expect}: {found}")
        return answer

    def poll(self, path: str, until: Callable[[Any], bool], *, what: str) -> Answer:
        """Read again until it is so; `seconds` of the answer is how long that took."""
        began = time.monotonic()
        while True:
            answer = self.get(path)
            waited = time.monotonic() - began
            if until(answer.body):
                return Answer("GET", path, answer.status, answer.body, answer.headers, waited)
            if waited > POLL_SECONDS:
                raise Failed(f"GET {path}: {what} did not come within {POLL_SECONDS} s")
            time.sleep(PAUSE_SECONDS)

    def everything(self, path: str) -> Iterator[Any]:
        """All entries of a listing, page by page."""
        separator = "&" if "?" in path else "?"
        cursor = ""
        while True:
            found = self.get(f"{path}{separator}limit=100{cursor}").body
            yield from found["data"]
            if not found["hasMore"]:
                return
            cursor = f"&cursor={found['nextCursor']}"


def tell(answer: Answer, fact: str) -> None:
    line(answer.method, answer.path, answer.status, fact)
