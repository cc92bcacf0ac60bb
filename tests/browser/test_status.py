"""The status page at three widths and in both schemes, with and without scripts."""

from datetime import timedelta
from pathlib import Path

import orjson
import pytest
from django.conf import settings as configured
from playwright.sync_api import Browser, expect

from apps.common import clock
from apps.status import on_disk, snapshot
from apps.status.components import API
from apps.status.models import Impact, Incident, StatusDay
from tests.browser.visitor import NARROW, TABLET, WIDE, Visitor

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def written(tmp_path: Path, settings) -> None:
    """A quarter of good and bad days, an incident that lasts and one that is over."""
    settings.STATUS_DIR, settings.STATUS_SUPPLIER_NAMES = str(tmp_path), True
    settings.SUPPLIERS = {**configured.SUPPLIERS, "hotels": {"live": "nuitee"}}
    today, now = clock.today(), clock.now()
    StatusDay.objects.bulk_create(
        StatusDay(
            day=today - timedelta(days=back),
            component=component,
            supplier=supplier,
            calls=1_000,
            failed={3: 400, 9: 30}.get(back, 0) if supplier else 0,
            checks=1_440,
            unmeasured=12 if back == 20 else 0,
        )
        for component, supplier in ((API, ""), ("hotels", "nuitee"), ("webhooks", ""))
        for back in range(60)
    )
    lasting = Incident.objects.create(
        title="Hotel searches answer late", impact=Impact.MAJOR, products=["hotels"], started_at=now
    )
    lasting.updates.create(stage="identified", text="A supplier answers late. " * 8)
    Incident.objects.create(
        title="A " + "very" * 20 + " long name",
        impact=Impact.MAINTENANCE,
        products=["api"],
        started_at=now - timedelta(hours=2),
        resolved_at=now,
    )
    on_disk._replace(orjson.dumps(snapshot.taken()))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_width_and_axe_finds_nothing(
    browser: Browser, live_server, scheme: str, tmp_path: Path
):
    with Visitor.arrive(browser, live_server.url, scheme=scheme) as visitor:
        assert visitor.goto("/status") == 200
        visitor.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        over = {width: visitor.overflow(width) for width in (WIDE, TABLET, NARROW)}
        assert {width: pixels for width, pixels in over.items() if pixels > 0} == {}
        assert visitor.faults() == []
        assert visitor.complaints == []


def test_a_day_is_told_in_words_and_by_its_height(browser: Browser, live_server):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/status")
    hotels = page.locator(".part", has_text="nuitee")
    days = hotels.get_by_role("listitem").filter(has_text="outage, 60.00 % of calls answered")
    expect(days.first).to_be_attached()
    expect(hotels.locator(".bar")).to_have_count(90)
    heights = [
        hotels.locator(f".bar-{state}").first.bounding_box()["height"]
        for state in ("unknown", "operational", "degraded", "outage")
    ]
    assert heights == sorted(set(heights))
    hotels.get_by_text("2 days with trouble").click()
    expect(hotels.get_by_text("degraded, 97.00 % of calls answered").last).to_be_visible()
    context.close()
