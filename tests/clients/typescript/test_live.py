"""The TypeScript client as partners get it, compiled strictly into their programs, against the service as it runs."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.typescript.conftest import compiled, run
from tests.support.own_service import Service
from tests.support.stack import Supervised, variables

pytestmark = [pytest.mark.slow, pytest.mark.packages]


@pytest.fixture
def deliveries(service: Service) -> Iterator[None]:
    """Webhooks are sent as they become due."""
    command = ["manage.py", "deliver_webhooks", "--forever", "--skip-checks"]
    sender = Supervised(command, {**os.environ, **variables(service.environment)})
    yield
    sender.stop()


def played(consumer: Path, service: Service, program: str) -> str:
    return run(
        ["node", program],
        consumer,
        TRAVEL_PARTNER_API_KEY=service.secret,
        TRAVEL_PARTNER_BASE_URL=service.url,
    )


@pytest.mark.usefixtures("deliveries")
def test_a_program_of_a_partner(consumer: Path, service: Service) -> None:
    compiled(consumer)
    summary = json.loads(played(consumer, service, "main.js"))
    plans = summary.pop("plans")
    assert summary == {"name": "Acme", "transfer": "cancelled", "told": 4, "refund": "refund"}
    assert plans > 2  # more than one page
