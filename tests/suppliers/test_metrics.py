"""Calls to suppliers as figures: each attempt by how it ended, also those that were not sent."""

from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path

import certifi
import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from apps.common.metrics import Reading
from apps.suppliers import isolation
from apps.suppliers.errors import Unavailable
from apps.suppliers.health import read_alerts
from apps.suppliers.http import SupplierHTTP
from apps.suppliers.isolation import FAILURES
from apps.suppliers.models import SupplierAlert
from tests.support.figures import Counted
from tests.support.receiver import receiving
from tests.support.wire import nobody, reply, wire
from tests.webhooks.sender.certificates import Authority


@pytest.fixture
def counted() -> Counted:
    return Counted()


def test_answers_are_counted_by_their_status(counted: Counted) -> None:
    with wire() as server:
        for status in ("200 OK", "404 Not Found"):
            server.acts.append(server.serves(reply(status, b"{}")))
            SupplierHTTP("acme", base_url=server.url).write("POST", "/orders", json={})
    assert counted("supplier_calls_total") == {("acme", "200"): 1, ("acme", "404"): 1}
    assert counted("supplier_call_seconds_count") == {("acme",): 2}


def test_a_supplier_that_is_away_is_counted_and_then_left_alone(counted: Counted) -> None:
    http = SupplierHTTP("acme", base_url=nobody())
    for _ in range(FAILURES + 2):
        with pytest.raises(Unavailable):
            http.write("POST", "/orders", json={})
    assert counted("supplier_calls_total") == {
        ("acme", "no answer"): FAILURES,
        ("acme", "not sent: breaker open"): 2,
    }
    assert counted("supplier_call_seconds_count") == {("acme",): FAILURES}


@pytest.mark.django_db
def test_alerts_that_wait_for_staff_are_told_by_supplier_and_kind() -> None:
    SupplierAlert.objects.create(supplier="hotelbeds", kind="quota_used_up", count=3)
    assert list(read_alerts()) == [
        Reading("supplier_alerts", 1, {"supplier": "hotelbeds", "kind": "quota_used_up"})
    ]


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Authority]:
    """Who vouches for suppliers here."""
    authority = Authority(tmp_path)
    file = tmp_path / "authority.pem"
    file.write_bytes(authority.certificate.public_bytes(Encoding.PEM))
    monkeypatch.setattr(certifi, "where", lambda: str(file))
    isolation._context.cache_clear()
    isolation.forget_all()
    yield authority
    isolation._context.cache_clear()
    isolation.forget_all()


@pytest.mark.parametrize(
    ("days", "ended", "counted_as"),
    [(1, None, ("acme", "200")), (-1, Unavailable, ("acme", "certificate refused"))],
)
def test_a_certificate_that_has_expired_is_counted_apart(
    counted: Counted,
    authority: Authority,
    days: int,
    ended: type[Exception] | None,
    counted_as: tuple[str, str],
) -> None:
    expires = datetime.now(UTC) + timedelta(days=days)
    with (
        receiving(tls=authority.server_context("127.0.0.1", expires=expires)) as server,
        pytest.raises(ended) if ended else nullcontext(),
    ):
        SupplierHTTP("acme", base_url=server.url).write("POST", "/orders", json={})
    assert counted("supplier_calls_total") == {counted_as: 1}
