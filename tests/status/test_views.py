"""The public pages. No test after the writing has a database: pytest-django refuses one, and Redis is taken away."""

import re
import xml.etree.ElementTree as ElementTree
from datetime import timedelta
from pathlib import Path

import orjson
import pytest
from django.test import Client
from django.urls import reverse

from apps.common import clock, redis
from apps.status import on_disk, snapshot
from tests.support.back_office import INLINE

HOSTILE = '<script>alert(1)</script> & "more"'
ATOM = "{http://www.w3.org/2005/Atom}"


def day(state: str = "operational", number: int = 0) -> dict[str, object]:
    date = (clock.today() - timedelta(days=89 - number)).isoformat()
    return {
        "date": date,
        "state": state,
        "answeredPercent": 99.5,
        "failedMinutes": 7,
        "unmeasuredMinutes": 0,
        "words": "99.50 % of calls answered, 7 minutes of failed checks",
    }


def content(**changes: object) -> snapshot.Snapshot:
    now = clock.rfc3339(clock.now())
    days = [day("degraded" if number == 88 else "operational", number) for number in range(90)]
    incident = {
        "id": 7,
        "title": HOSTILE,
        "impact": "major",
        "products": ["Hotels"],
        "startedAt": now,
        "resolvedAt": None,
        "updatedAt": now,
        "updates": [{"at": now, "stage": "identified", "text": HOSTILE}],
    }
    hotels = {
        "id": "hotels",
        "name": "Hotels",
        "supplier": "nuitee",
        "former": False,
        "state": "operational",
        "days": days,
    }
    return {
        "state": "operational",
        "measuredAt": now,
        "writtenAt": now,
        "databaseAwaySince": None,
        "components": [hotels],
        "incidents": [incident],
        **changes,
    }


@pytest.fixture(autouse=True)
def without_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise AssertionError("Redis was asked")

    monkeypatch.setattr(redis, "run", away)


@pytest.fixture
def written() -> None:
    on_disk._replace(orjson.dumps(content()))


@pytest.fixture
def visitor() -> Client:
    """With the cookies of a session, which nobody may look up."""
    client = Client()
    client.cookies["sessionid"] = "a" * 32
    client.cookies["theme"] = "dark"
    return client


@pytest.mark.usefixtures("written")
def test_the_page_is_served_without_postgresql_and_redis(visitor: Client) -> None:
    answer = visitor.get("/status")
    html = answer.content.decode()
    assert (answer.status_code, answer["Cache-Control"]) == (200, "public, max-age=30")
    assert 'data-theme="dark"' in html
    assert "default-src 'none'" in answer["Content-Security-Policy"]
    assert len(re.findall(r'<li class="bar ', html)) == 90
    yesterday = snapshot_day(88)
    assert (
        f'<span class="visually-hidden">{yesterday}: degraded, 99.50 % of calls answered, 7 minutes' in html
    )
    assert "1 day with trouble" in html
    assert INLINE.findall(html) == []


def snapshot_day(number: int) -> str:
    at = clock.today() - timedelta(days=89 - number)
    return f"{at.day} {at:%b %Y}"


@pytest.mark.usefixtures("written")
def test_html_in_staffs_texts_is_escaped_everywhere(visitor: Client) -> None:
    html = visitor.get("/status").content.decode()
    assert ("<script>alert" in html, html.count("&lt;script&gt;alert(1)")) == (False, 2)
    feed = ElementTree.fromstring(visitor.get("/status.atom").content)
    entry = feed.find(f"{ATOM}entry")
    assert entry.find(f"{ATOM}title").text == HOSTILE
    assert "<script" not in entry.find(f"{ATOM}summary").text
    assert visitor.get("/status.json").json()["incidents"][0]["title"] == HOSTILE


@pytest.mark.usefixtures("written")
def test_the_feed_has_an_entry_for_each_incident(visitor: Client, settings) -> None:
    answer = visitor.get("/status.atom")
    feed = ElementTree.fromstring(answer.content)
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert [entry.find(f"{ATOM}id").text for entry in feed.iter(f"{ATOM}entry")] == [
        f"{settings.PUBLIC_BASE_URL}/status#incident-7"
    ]
    assert [one.get("term") for one in feed.iter(f"{ATOM}category")] == ["major", "Hotels"]


def test_what_no_xml_may_contain_is_a_space_in_the_feed(visitor: Client) -> None:
    """A vertical tab, as it comes with a text that was copied from a word processor."""
    [incident] = content()["incidents"]
    update = {**incident["updates"][0], "text": "two\x0blines\uffff\n\U0001f6eb"}
    on_disk._replace(orjson.dumps(content(incidents=[{**incident, "title": "A\x1fB", "updates": [update]}])))
    entry = ElementTree.fromstring(visitor.get("/status.atom").content).find(f"{ATOM}entry")
    assert entry.find(f"{ATOM}title").text == "A B"
    assert "two lines \n\U0001f6eb" in entry.find(f"{ATOM}summary").text
    assert visitor.get("/status").status_code == 200


@pytest.mark.usefixtures("written")
def test_json_is_the_content_and_whether_it_is_stale(visitor: Client) -> None:
    answer = visitor.get("/status.json")
    assert answer["Content-Type"] == "application/json"
    assert answer.json() == {**on_disk.read().content, "stale": False}


def test_where_nothing_was_written_it_says_so(visitor: Client, status_dir: Path) -> None:
    assert not status_dir.exists()
    assert "No figures have been written on this host yet" in visitor.get("/status").content.decode()
    answer = visitor.get("/status.json")
    assert (answer.status_code, answer.json(), answer["Cache-Control"]) == (
        503,
        {"state": "unknown", "stale": True},
        "no-store",
    )
    assert visitor.get("/status.atom").status_code == 503


def test_while_postgresql_is_away_the_page_says_since_when(visitor: Client) -> None:
    on_disk._replace(orjson.dumps(snapshot.without_database(content())))
    html = visitor.get("/status").content.decode()
    assert "database has not answered since <time" in html
    assert "All parts work" not in html


@pytest.mark.parametrize("path", ["/status", "/status.json", "/status.atom"])
def test_only_reads(visitor: Client, path: str) -> None:
    assert visitor.head(path).status_code in {200, 503}
    assert visitor.post(path).status_code == 405


def test_documentation_and_error_pages_link_the_page(client: Client, settings) -> None:
    settings.STATUS_URL = ""
    assert f'<a href="{reverse("status:page")}">Service status</a>' in client.get("/docs/").content.decode()
