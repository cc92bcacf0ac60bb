"""The comparisons are printed, and the peer does what it is compared by. Nothing is judged by its speed here."""

import pytest

from tests.bench import beside_peer, webhooks

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that wait longer for Redis than they would: other tests run beside."""
    monkeypatch.setenv("REDIS_TIMEOUT_SECONDS", "2")


def test_the_peer_is_compared_by_each_call(capsys: pytest.CaptureFixture[str]) -> None:
    beside_peer.main(rounds=1, seconds=0.5, partners=2)
    lines = capsys.readouterr().out.splitlines()
    rows = {line[:22].strip(): line[22:].split() for line in lines[3:6]}
    assert {name: len(figures) for name, figures in rows.items()} == dict.fromkeys(beside_peer.CALLS, 6)
    assert all(float(figure) > 0 for figures in rows.values() for figure in figures)


def test_deliveries_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    webhooks.main(rounds=1, ours=40, naive=20)
    assert "claimed batches" in capsys.readouterr().out
