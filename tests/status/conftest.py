import uuid
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from apps.common import clock
from apps.gateway.request_log.models import LoggedCall

Log = Callable[..., None]


@pytest.fixture(autouse=True)
def status_dir(tmp_path: Path, settings) -> Path:
    settings.STATUS_DIR = str(tmp_path / "status")
    return tmp_path / "status"


@pytest.fixture
def sold_live(settings) -> None:
    """Hotels have a supplier for live keys; no other product has."""
    settings.SUPPLIERS = {
        **{product: {"live": "simulator"} for product in ("flights", "transfers", "esim")},
        "hotels": {"live": "nuitee"},
    }
    settings.SIMULATE_LIVE_KEYS = False


@pytest.fixture
def log(db) -> Log:
    """Writes calls as the request log does."""

    def write(count: int = 1, *, at: datetime | None = None, **fields: object) -> None:
        given = {"product": "hotels", "environment": "live", "status": 200, **fields}
        LoggedCall.objects.bulk_create(
            LoggedCall(
                request_id=uuid.uuid4(),
                created_at=at or clock.now(),
                method="GET",
                path="/v1/hotels",
                duration_ms=1.0,
                **given,
            )
            for _ in range(count)
        )

    return write
