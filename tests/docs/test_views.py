"""The public pages, the deployment's own words on them, and the reader's own test key in their samples."""

import re
from html import unescape

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import OperationalError
from django.test import Client

from apps.accounts.models import Account, Role
from apps.common import clock, errors
from apps.common.environments import Environment
from apps.docs import guides, views
from apps.docs.error_pages import BY_TYPE, PAGES
from apps.docs.reference import every, products
from apps.gateway import sandbox
from apps.keys import scopes
from apps.keys.services import issue_key
from apps.portal.production_access import steps_of
from apps.sandbox.simulate import What
from tests.factories.accounts import AccountFactory
from tests.portal.person import member_of, remove_two_factor
from tests.support.operations import partner_operations

PATHS = [
    "/docs/",
    "/docs/changelog",
    "/docs/clients",
    "/docs/reference",
    "/docs/reference/try",
    *(f"/docs/reference/{product.slug}" for product in products()),
    *(f"/docs/reference/{operation.product}/{operation.slug}" for operation in every()),
    *(f"/docs/guides/{guide.slug}" for guide in guides.GUIDES),
    *(f"/docs/errors/{page.type}" for page in PAGES),
]


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Get a page without signing in and without a database."""
    return {path: Client().get(path).content.decode() for path in PATHS}


def test_every_page_is_public_and_has_one_heading_of_its_own(texts):
    headings = {path: re.findall(r"<h1>(.*?)</h1>", text) for path, text in texts.items()}
    assert {path: len(found) for path, found in headings.items()} == dict.fromkeys(PATHS, 1)
    assert len({found[0] for found in headings.values()}) == len(PATHS)
    assert all(re.sub("<.*?>", "", found[0]).strip() for found in headings.values())


def test_every_error_type_has_its_page_and_no_other():
    known = {
        each.type
        for each in vars(errors).values()
        if isinstance(each, type) and issubclass(each, errors.GatewayError) and hasattr(each, "type")
    }
    assert set(BY_TYPE) == known


def test_the_address_a_refusal_names_is_a_page(settings):
    settings.DOCS_BASE_URL = "http://testserver/docs"
    refusal = Client().get("/v1/nowhere").json()["error"]
    answer = Client().get(refusal["docUrl"])
    assert (answer.status_code, refusal["type"]) == (200, "not_found")
    assert "<code>not_found</code>" in answer.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "/docs/errors/unheard_of",
        "/docs/guides/none",
        "/docs/nothing",
        "/docs/reference/none",
        "/docs/reference/hotels/none",
    ],
)
def test_unknown_pages_are_not_found(path):
    assert Client().get(path).status_code == 404


@pytest.mark.parametrize(
    ("shortened", "overview"),
    [
        ("/docs/errors/", "/docs/errors"),
        ("/docs/guides/", "/docs/"),
        ("/docs/guides", "/docs/"),
        ("/docs/reference/", "/docs/reference"),
    ],
)
def test_a_shortened_address_leads_to_its_overview(shortened, overview):
    answer = Client().get(shortened)
    assert (answer.status_code, answer["Location"]) == (302, overview)


@pytest.mark.parametrize(
    ("old", "new"),
    [(f"guides/{old}", f"guides/{new}") for old, new in guides.MOVED.items()]
    + [("errors", "guides/errors-and-retries#every-error")],
)
def test_a_former_address_redirects_to_the_section_that_replaces_it(texts, old, new):
    path, _, section = f"/docs/{new}".partition("#")
    for ending in ("", ".md"):
        answer = Client().get(f"/docs/{old}{ending}")
        assert (answer.status_code, answer["Location"].partition("#")[0]) == (301, f"{path}{ending}")
    assert not section or f'id="{section}"' in texts[path]


def test_links_to_sections_lead_to_their_headings(texts):
    """Those of the documentation and of the portal's templates."""
    html = " ".join(path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html"))
    named = re.findall(r"'docs:guide' '([\w-]+)' %\}#([\w-]+)", html)
    asked = {(f"/docs/guides/{slug}", section) for slug, section in named}
    for text in texts.values():
        asked |= set(re.findall(r'href="(/docs/[^"#]*)#(\w[^"]*)"', text))
    assert {(path, section) for path, section in asked if f'id="{section}"' not in texts[path]} == set()
    assert len(asked) > 10


def test_the_sidebar_has_at_most_fifteen_entries():
    side = Client().get("/docs/").content.decode().partition('class="side-view"')[2].partition("</nav>")[0]
    assert len(re.findall(r"<li>", side)) == len(guides.GUIDES) + 1 <= 15


def test_no_link_of_the_documentation_is_dead(texts):
    links = {
        unescape(link) for text in texts.values() for link in re.findall(r'(?:href|src)="(/[^"]*)"', text)
    }
    own = {link for link in links if link.startswith(("/docs", "/v1"))}
    dead = {link for link in own if Client().get(link.partition("#")[0]).status_code != 200}
    files = {link.removeprefix("/static/") for link in links if link.startswith("/static/")}
    assert (dead, {file for file in files if finders.find(file) is None}) == (set(), set())
    assert len(own) > 30


def test_links_within_pages_lead_to_their_headings(texts):
    assert texts
    for path, text in texts.items():
        named = set(re.findall(r'id="([^"]+)"', text))
        assert set(re.findall(r'href="#([^"]+)"', text)) <= named, path


def test_no_page_needs_inline_script_or_style(texts):
    assert texts
    for path, text in texts.items():
        assert re.findall(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=", text) == [], path


def test_guides_tell_of_every_scope_event_and_trigger():
    told = {row["name"] for row in guides.of_keys()["scopes"]}
    assert told == set(scopes.GRANTABLE) - set(scopes.WITHOUT_EFFECT)
    stories = (*guides.TRIGGERS, *guides.CHANGES, guides.LEFT_PENDING)
    assert tuple(story.value for story in stories) == sandbox.TRIGGERS
    assert [story.value for story in guides.SIMULATED] == What.values


@pytest.mark.django_db
def test_the_checklist_has_the_steps_of_the_portals_page(texts):
    shown = re.findall(r"<li><strong>(.*?)</strong>", texts["/docs/guides/go-live"])
    assert shown[:8] == [step.title for step in steps_of(AccountFactory(), clock.now())]


def test_limits_are_those_in_force(settings):
    settings.RATE_LIMITS = {"SEARCH": 61, "BOOKING": 31, "READ": 301}
    settings.SEARCH_QUOTA_PER_DAY = 5_432
    text = Client().get("/docs/guides/authentication").content.decode()
    assert re.findall(r"<td>(SEARCH|BOOKING|READ)</td>\s*<td>(\d+)</td>", text) == [
        ("SEARCH", "61"),
        ("BOOKING", "31"),
        ("READ", "301"),
    ]
    assert "daily quota of 5,432" in text


FROM_THE_AIRLINE = {"listFlightOfferServices", "getFlightOfferSeatMaps", "listFlightOrderServices"}


def test_the_classes_have_the_operations_that_the_table_names():
    """SEARCH what asks suppliers for offers, BOOKING every other write, READ every other GET."""
    for each in partner_operations():
        is_search = each.route.counts_quota or each.route.id in FROM_THE_AIRLINE
        other = "READ" if each.method == "GET" else "BOOKING"
        assert each.route.rate_class == ("SEARCH" if is_search else other), each


def test_the_policy_admits_nothing_inline_and_pictures_in_the_form_alone(texts):
    policies = {
        path: Client().get(path)["Content-Security-Policy"] for path in ("/docs/", "/docs/reference/try")
    }
    assert "data:" not in policies["/docs/"]
    assert "img-src 'self' data:" in policies["/docs/reference/try"]
    assert all("unsafe" not in policy for policy in policies.values())


pytestmark = pytest.mark.django_db

PAGES = ["/docs/reference/hotels/create-hotel-booking", "/docs/guides/get-started", "/docs/guides/hotels"]


def key_of(account: Account, environment: str = Environment.TEST, name: str = "Checkout <1>") -> str:
    """A new key's secret."""
    _, secret = issue_key(account=account, environment=environment, name=name)
    return secret


@pytest.mark.parametrize("path", PAGES)
def test_a_member_reads_the_name_and_the_beginning_of_the_newest_test_key(path: str):
    owner = member_of(AccountFactory(), Role.OWNER)
    key_of(owner.account, name="Older")
    secret = key_of(owner.account)
    answer = owner.client.get(path)
    text = answer.content.decode()
    [shown] = set(re.findall(r"(svc_test_\w*)…", text))
    assert secret.startswith(shown)
    assert len("svc_test_") < len(shown) <= 16
    assert secret not in text
    assert "Checkout &lt;1&gt;" in text
    assert "Older" not in text
    assert "no-store" in answer["Cache-Control"]
    assert "Cookie" in answer["Vary"]


@pytest.mark.parametrize("path", PAGES)
def test_a_stranger_reads_a_placeholder_without_a_look_at_the_database(path: str, django_assert_num_queries):
    key_of(AccountFactory())
    Client().get(path)
    with django_assert_num_queries(0):
        answer = Client().get(path)
    assert "svc_test_…" in answer.content.decode()
    assert "Checkout" not in answer.content.decode()


def test_who_has_no_second_factor_reads_a_placeholder(settings):
    owner = member_of(AccountFactory(), Role.OWNER)
    key_of(owner.account)
    remove_two_factor(owner.user)
    settings.PORTAL_REQUIRE_TWO_FACTOR = True
    assert "Checkout" not in owner.client.get(PAGES[0]).content.decode()
    settings.PORTAL_REQUIRE_TWO_FACTOR = False
    assert "Checkout" in owner.client.get(PAGES[0]).content.decode()


def test_the_page_is_read_while_the_database_is_away(monkeypatch):
    owner = member_of(AccountFactory(), Role.OWNER)
    key_of(owner.account)

    def away(request: object) -> None:
        raise OperationalError

    monkeypatch.setattr(views, "_newest", away)
    answer = owner.client.get(PAGES[0])
    assert (answer.status_code, "svc_test_…" in answer.content.decode()) == (200, True)
