"""What programs find at fixed addresses, and each page as Markdown."""

import gzip
import re
from datetime import datetime, timedelta
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from django.test import Client

from apps.common import clock
from apps.docs.pages import texts
from tests.contract.ratchet.releases import RELEASES, released

BASE = "https://api.example.com"
ATOM = "{http://www.w3.org/2005/Atom}"
PATHS = [text.path for text in texts()]


@pytest.fixture(autouse=True)
def at_its_public_address(settings):
    settings.PUBLIC_BASE_URL = BASE


def get(path: str, **headers: str):
    return Client().get(path, headers=headers)


def test_every_page_has_a_twin_in_markdown():
    assert len(PATHS) == len(set(PATHS)) > 80
    for path in PATHS:
        answer = get(f"{path}.md")
        text = answer.content.decode()
        assert (answer.status_code, answer["Content-Type"]) == (200, "text/markdown; charset=utf-8"), path
        assert text.startswith("# "), path
        assert re.findall(r"</?div|<p class|\{%|\{\{ |&quot;", text) == [], path


def test_the_twin_is_answered_to_who_prefers_markdown():
    path = "/docs/guides/hotels"
    plain, wished = get(path), get(path, accept="text/markdown, text/html;q=0.5")
    assert wished.content == get(f"{path}.md").content
    assert [each["Content-Type"].partition(";")[0] for each in (plain, wished)] == [
        "text/html",
        "text/markdown",
    ]
    assert all("Accept" in each["Vary"] for each in (plain, wished))
    assert get(path, accept="text/html,*/*;q=0.8")["Content-Type"].startswith("text/html")
    assert get(path, accept="*/*")["Content-Type"].startswith("text/html")
    assert get("/docs/guides/none", accept="text/markdown").status_code == 404


@pytest.mark.parametrize(
    "path", ["/docs/none.md", "/docs/guides/none.md", "/docs/reference/hotels/none.md", "/docs/.md"]
)
def test_an_unknown_twin_is_not_found(path):
    assert get(path).status_code == 404


def test_llms_names_every_page_at_its_public_address():
    text = get("/llms.txt").content.decode()
    assert text.startswith("# Travel Partner API\n\n> ")
    linked = re.findall(r"^- \[[^\]]+\]\(([^)]+)\.md\)", text, re.MULTILINE)
    assert linked == [f"{BASE}{path}" for path in PATHS]
    assert get("/docs/index.md").content.decode() == text


def test_the_api_catalogue_leads_to_document_and_documentation(settings):
    answer = get("/.well-known/api-catalog")
    assert answer["Content-Type"].startswith("application/linkset+json;")
    [items, api] = answer.json()["linkset"]
    assert items == {"anchor": f"{BASE}/.well-known/api-catalog", "item": [{"href": f"{BASE}/v1"}]}
    assert api["anchor"] == f"{BASE}/v1"
    for link in (api["service-desc"][0], *api["service-doc"]):
        served = get(urlsplit(link["href"]).path)
        assert (served.status_code, served["Content-Type"].partition(";")[0]) == (200, link["type"])
    assert api["status"] == [{"href": f"{BASE}/health/ready"}]
    settings.STATUS_URL = "https://status.example.com"
    assert get("/.well-known/api-catalog").json()["linkset"][1]["status"] == [{"href": settings.STATUS_URL}]
    assert 'rel="api-catalog"' in Client().head("/.well-known/api-catalog")["Link"]


def test_security_txt_names_the_address_and_is_not_over(settings):
    settings.SUPPORT_EMAIL = ""
    assert get("/.well-known/security.txt").status_code == 404
    settings.SUPPORT_EMAIL = "help@example.com"
    answer = get("/.well-known/security.txt")
    fields = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert fields["Contact"] == "mailto:help@example.com"
    assert fields["Canonical"] == f"{BASE}/.well-known/security.txt"
    left = datetime.fromisoformat(fields["Expires"]) - clock.now()
    assert timedelta(days=90) < left < timedelta(days=365)


def test_the_feed_has_an_entry_for_each_release_with_a_date():
    answer = get("/docs/changelog.atom")
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(answer.content)
    entries = [
        (each.find(f"{ATOM}title").text, each.find(f"{ATOM}updated").text)
        for each in feed.iter(f"{ATOM}entry")
    ]
    assert entries[-1][0] == "1.0.0"
    assert ("1.1.0", "2026-11-21T00:00:00+00:00") in entries
    assert feed.find(f"{ATOM}id").text == f"{BASE}/docs/changelog"


@pytest.mark.parametrize("version", released())
def test_each_release_in_the_changelog_leads_to_its_document(version):
    address = f"/docs/openapi/{version}.json"
    assert f"]({address})" in get("/docs/changelog.md").content.decode()
    plain, zipped = get(address), get(address, accept_encoding="gzip")
    assert plain.content == (RELEASES / f"{version}.json").read_bytes() == gzip.decompress(zipped.content)
    assert (plain["Content-Type"], zipped["Content-Encoding"]) == ("application/json", "gzip")


def test_the_document_of_an_unknown_release_is_not_found():
    assert get("/docs/openapi/9.9.9.json").status_code == 404


def test_every_release_states_what_can_break_first():
    releases = get("/docs/changelog.md").content.decode().split("\n## ")[1:]
    assert [text.split()[0] for text in releases if "**What can break first**" not in text] == ["1.0.0"]
    assert all("[OpenAPI document](/" in text for text in releases)


def test_the_documentation_may_be_found_and_nothing_else():
    robots = get("/robots.txt").content.decode().splitlines()
    assert robots[:2] == ["User-agent: *", "Disallow: /"]
    assert {"Allow: /docs/", f"Sitemap: {BASE}/sitemap.xml"} < set(robots)
    assert {
        path: "X-Robots-Tag" in get(path)
        for path in ("/docs/", "/docs/changelog.md", "/llms.txt", "/robots.txt")
    } == (dict.fromkeys(["/docs/", "/docs/changelog.md", "/llms.txt", "/robots.txt"], False))
    for path in ("/account/login/", "/portal/test/", "/admin/", "/nothing/here"):
        assert get(path)["X-Robots-Tag"] == "noindex, nofollow", path
    assert 'name="robots"' not in get("/docs/").content.decode()
    assert '<meta name="robots" content="noindex">' in get("/account/login/").content.decode()
