"""The partner's API, as far as listening needs it."""

import time
from collections.abc import Callable
from typing import Any

import requests

API_SECONDS = 30

Say = Callable[[str], object]


class ListenError(Exception):
    """The API refused; the message is its own."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Api:
    """Reads as one partner. It waits and asks again where the API says so, and where nobody answers."""

    def __init__(self, base_url: str, key: str, say: Say) -> None:
        self._base_url = base_url.rstrip("/")
        self._session = requests.Session()
        self._session.headers["Authorization"] = f"Bearer {key}"
        self._say = say

    def get(self, path: str, **query: object) -> dict[str, Any]:
        """The answer's body. Raises ListenError for a refusal that waiting will not change."""
        while True:
            try:
                answer = self._session.get(
                    f"{self._base_url}{path}",
                    params={name: str(value) for name, value in query.items()},
                    timeout=API_SECONDS,
                )
                if answer.status_code == 200:
                    return dict(answer.json())
            except requests.RequestException:  # no answer, half of one, or a proxy's page
                self._wait("The API does not answer", 5)
                continue
            if answer.status_code != 429 and answer.status_code < 500:
                raise ListenError(_refusal(answer), answer.status_code)
            asked = answer.headers.get("Retry-After", "")  # a proxy may write a date
            self._wait(f"The API answered {answer.status_code}", int(asked) if asked.isdecimal() else 5)

    def _wait(self, why: str, seconds: int) -> None:
        self._say(f"{why}; again in {seconds} s.")
        time.sleep(seconds)


def _refusal(answer: requests.Response) -> str:
    try:
        return f"The API answered {answer.status_code}: {answer.json()['error']['message']}"
    except (ValueError, KeyError, TypeError):
        return f"The API answered {answer.status_code}."
