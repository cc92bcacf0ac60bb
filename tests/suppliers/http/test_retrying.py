import pytest

from apps.suppliers import http
from apps.suppliers.http import pause_before, retry_after

SENT = "Sat, 21 Nov 2026 10:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "Sat, 21 Nov 2026 10:00:04 GMT", "Date": SENT}, 4.0),
        ({"ratelimit-reset": "Sat, 21 Nov 2026 10:00:04 GMT", "Date": SENT}, 4.0),
        ({"ratelimit-reset": "5"}, 5.0),
        ({"Retry-After": "7", "ratelimit-reset": "5"}, 7.0),
        ({"ratelimit-reset": "1795255204"}, 1_795_255_204.0),
        ({"Retry-After": "Sat, 21 Nov 2026 09:00:00 GMT", "Date": SENT}, 0.0),
        ({"Retry-After": "Sat, 21 Nov 2026 10:00:04 GMT"}, None),
        ({"Retry-After": "Sat, 21 Nov 2026 10:00:04", "Date": SENT}, None),
        ({"Retry-After": f"Sat, 21 Nov {10**20} 10:00:04 GMT", "Date": SENT}, None),
    ],
)
def test_retry_after_is_seconds_or_a_date_beside_the_answers_own(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers) == seconds


def test_pauses_grow_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "BACKOFF_SECONDS", (0.2, 0.8))
    monkeypatch.setattr(http.random, "uniform", lambda low, high: high)  # type: ignore[attr-defined]
    assert [pause_before(retry, {}) for retry in (1, 2, 3)] == pytest.approx([0.3, 1.2, None])
    assert pause_before(1, {"Retry-After": "10"}) == pytest.approx(10.3)
    assert pause_before(1, {"Retry-After": "11"}) is None
