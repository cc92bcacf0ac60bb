"""/metrics, as Prometheus reads it."""

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from apps.common import redis
from apps.common.metrics import exposition, known_readings

ANSWERS = "travel_partner_answers"
TOKEN = "figures-of-the-night"


@pytest.fixture
def scraper(settings) -> Client:
    settings.METRICS_TOKEN = TOKEN
    return Client(headers={"Authorization": f"Bearer {TOKEN}"})


def figures(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.django_db
def test_whoever_has_the_token_reads_every_figure(scraper: Client) -> None:
    answer = scraper.get("/metrics")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
    found = figures(answer.content.decode())
    names = {name for name, _ in found}
    promised = {f"travel_partner_{name}" for readings in known_readings() for name in readings.texts}
    assert promised - names <= {"travel_partner_supplier_alerts"}  # of which there is none
    assert {value for (name, _), value in found.items() if name == ANSWERS} == {1.0}


@pytest.mark.parametrize("sent", [{}, {"Authorization": "Bearer other"}, {"Authorization": TOKEN}])
def test_nobody_else_does(settings, sent: dict[str, str]) -> None:
    settings.METRICS_TOKEN = TOKEN
    answer = Client().get("/metrics", headers=sent)
    assert (answer.status_code, answer.content) == (401, b"")
    assert answer["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("sent", [{}, {"Authorization": "Bearer "}])
def test_without_a_token_in_the_settings_there_is_no_such_page(sent: dict[str, str]) -> None:
    assert Client().get("/metrics", headers=sent).status_code == 404


@pytest.mark.django_db
def test_it_answers_whatever_the_host_is(scraper: Client) -> None:
    assert scraper.get("/metrics", headers={"Host": "10.0.0.7:8000"}).status_code == 200


@pytest.mark.django_db
def test_a_scraper_on_this_host_needs_no_https(scraper: Client, settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get("/docs/").status_code == 301
    assert scraper.get("/metrics").status_code == 200


@pytest.mark.django_db
def test_what_cannot_be_read_is_counted_and_the_rest_told(monkeypatch) -> None:
    def away(*_args):
        raise redis.RedisUnavailable

    assert "travel_partner_holds_open" in exposition().decode()
    monkeypatch.setattr(redis, "run", away)
    found = figures(exposition().decode())
    assert found[ANSWERS, frozenset({("part", "redis")})] == 0
    assert found[ANSWERS, frozenset({("part", "database")})] == 1
    assert ("travel_partner_heartbeat_age_seconds", frozenset({("process", "beat")})) not in found
    assert ("travel_partner_holds_open", frozenset({("age", "older")})) in found
