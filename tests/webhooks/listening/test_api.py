"""Reading the partner's API: what is asked again, and what is not."""

from collections.abc import Callable
from typing import Any

import pytest
import requests

from apps.webhooks.management.commands import listen as reading
from apps.webhooks.management.commands.listen import Api, ListenError


def answer(status: int, body: bytes = b"{}", **headers: str) -> requests.Response:
    made = requests.Response()
    made.status_code, made._content = status, body
    made.headers.update({name.replace("_", "-"): value for name, value in headers.items()})
    return made


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Any, list[str], list[float], list[Any]]]:
    """Ask once where these are the answers: what came of it, what was said, how long was waited, what was asked."""

    def asking(*answers: requests.Response | Exception) -> tuple[Any, list[str], list[float], list[Any]]:
        said: list[str] = []
        waited: list[float] = []
        asked: list[Any] = []
        left = list(answers)

        def get(session: requests.Session, url: str, **options: Any) -> requests.Response:
            asked.append((url, options, session.headers["Authorization"]))
            next_ = left.pop(0)
            if isinstance(next_, Exception):
                raise next_
            return next_

        monkeypatch.setattr(requests.Session, "get", get)
        monkeypatch.setattr(reading.time, "sleep", waited.append)  # type: ignore[attr-defined]
        try:
            found: Any = Api("https://api.example/", "svc_test_key", said.append).get(
                "/v1/x", limit=1, cursor="c"
            )
        except ListenError as refusal:
            found = str(refusal)
        assert left == []
        return found, said, waited, asked

    return asking


def test_an_answer_is_its_body(ask) -> None:
    found, said, waited, asked = ask(answer(200, b'{"data": [1]}'))
    assert (found, said, waited) == ({"data": [1]}, [], [])
    options = {"params": {"limit": "1", "cursor": "c"}, "timeout": 30}
    assert asked == [("https://api.example/v1/x", options, "Bearer svc_test_key")]


@pytest.mark.parametrize("failure", [requests.ConnectionError(), requests.Timeout()])
def test_where_nobody_answers_it_asks_again_after_five_seconds(ask, failure: Exception) -> None:
    found, said, waited, asked = ask(failure, failure, answer(200))
    assert (found, waited, len(asked)) == ({}, [5, 5], 3)
    assert said == ["The API does not answer; again in 5 s."] * 2


@pytest.mark.parametrize("status", [429, 500, 503, 599])
def test_what_passes_is_asked_again_when_the_api_says_so(ask, status: int) -> None:
    found, said, waited, _ = ask(answer(status, Retry_After="7"), answer(status), answer(200))
    assert (found, waited) == ({}, [7, 5])
    assert said == [f"The API answered {status}; again in {seconds} s." for seconds in (7, 5)]


def test_what_a_proxy_says_is_waited_out(ask) -> None:
    """A date in place of seconds, a page in place of JSON, half a body: none of them ends hours of listening."""
    dated = answer(503, b"<html>", Retry_After="Fri, 27 Nov 2026 08:00:00 GMT")
    found, _, waited, _ = ask(dated, answer(200, b"<html>"), answer(200, b'{"data": ['), answer(200))
    assert (found, waited) == ({}, [5, 5, 5])


@pytest.mark.parametrize("status", [201, 400, 401, 428, 430, 499])
def test_what_does_not_pass_is_told_in_the_words_of_the_api(ask, status: int) -> None:
    found, said, waited, _ = ask(answer(status, b'{"error": {"message": "No."}}'))
    assert (found, said, waited) == (f"The API answered {status}: No.", [], [])


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b'{"error": null}', b'{"error": {}}'])
def test_a_refusal_without_words_is_its_status(ask, body: bytes) -> None:
    assert ask(answer(403, body))[0] == "The API answered 403."
