"""/health/full behind a token."""

import pytest
from django.test import Client

TOKEN = "how-are-you"


@pytest.mark.django_db
def test_where_a_token_is_set_only_who_has_it_reads_the_parts(settings) -> None:
    settings.HEALTH_TOKEN = TOKEN
    refused = Client().get("/health/full", headers={"Authorization": "Bearer something"})
    assert (refused.status_code, refused.json()["error"]["type"]) == (401, "authentication_required")
    assert refused.json()["error"]["requestId"] == refused["X-Request-Id"]
    told = Client().get("/health/full", headers={"Authorization": f"Bearer {TOKEN}"})
    assert told.status_code == 200
    assert "database" in told.json()["parts"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/health", "/health/ready"])
def test_the_probes_of_balancers_need_none(settings, path: str) -> None:
    settings.HEALTH_TOKEN = TOKEN
    assert Client().get(path).status_code == 200
