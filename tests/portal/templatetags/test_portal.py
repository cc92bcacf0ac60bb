"""The template tags and filters."""

from datetime import UTC, datetime, timedelta

import pytest
from django.template import Context, Template
from django.test import RequestFactory

from apps.common import clock
from apps.portal.templatetags.portal import (
    ago,
    amount,
    countdown,
    grouped,
    money,
    pill,
    span,
    when,
    without_https,
)

AT = datetime(2026, 11, 2, 14, 3, 22, 120_000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("cents", "currency", "said"),
    [
        (123_450, "EUR", "1,234.50"),
        (5, "EUR", "0.05"),
        (-70_000, "EUR", "−700.00"),
        (1_235, "JPY", "1,235"),
        (1_235, "KWD", "1.235"),
        (0, "EUR", "0.00"),
    ],
)
def test_an_amount_has_the_places_of_its_currency(cents, currency, said):
    assert amount(cents, currency) == said


def test_money_that_is_not_known_is_a_dash():
    assert (money(None, "EUR"), "1.00" in money(100, "EUR")) == ('<span class="money">–</span>', True)


def test_an_instant_is_said_in_utc_and_exact_for_machines():
    assert when(AT) == (
        '<time datetime="2026-11-02T14:03:22.120Z" title="2 Nov 2026, 14:03:22 UTC">2 Nov 2026, 14:03 UTC</time>'
    )
    assert "14:03:22 UTC" in when(AT, seconds=True)
    assert when(None) == '<span class="muted">–</span>'


@pytest.mark.parametrize(
    ("length", "said"),
    [
        (timedelta(0), "0 s"),
        (timedelta(seconds=59), "59 s"),
        (timedelta(seconds=60), "1 min"),
        (timedelta(minutes=59, seconds=59), "59 min"),
        (timedelta(hours=23), "23 h"),
        (timedelta(days=1), "1 day"),
        (timedelta(days=12, hours=3), "12 days"),
    ],
)
def test_a_span_is_said_in_the_largest_unit_that_fits(length, said):
    assert span(length) == said


def test_what_was_and_what_will_be(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda partner=None: AT)
    assert ">3 min ago<" in ago(AT - timedelta(minutes=3))
    assert ">in 3 min<" in ago(AT + timedelta(minutes=3))
    assert ago(None) == '<span class="muted">never</span>'
    assert ">in 0 s<" in countdown(AT - timedelta(minutes=3)), "What is over does not count backwards"


def test_a_state_is_written_out_and_escaped():
    assert pill("confirmed") == '<span class="pill pill-good">Confirmed</span>'
    assert pill("read-only", "Reads only") == '<span class="pill pill-warn">Reads only</span>'
    assert pill("<b>") == '<span class="pill pill-quiet">&lt;b&gt;</span>'


def test_a_query_string_keeps_what_it_was_and_takes_changes():
    request = RequestFactory().get("/", {"status": "failed", "cursor": "x&y"})
    template = Template(
        "{% load portal %}{% qs cursor=next %}|{% qs cursor=None %}|{% qs cursor=None status=None %}"
    )
    said = template.render(Context({"request": request, "next": "a b"}, autoescape=False))
    assert said == "?status=failed&cursor=a+b|?status=failed|?"


def test_a_secret_is_read_in_fours():
    assert grouped("JBSWY3DPEH") == "JBSW Y3DP EH"


def test_an_address_is_written_as_browsers_write_it():
    assert [without_https(url) for url in ("https://a.example/x", "http://localhost/x")] == [
        "a.example/x",
        "http://localhost/x",
    ]


@pytest.mark.parametrize(
    ("query", "tag", "said"),
    [
        ("status=errors&cursor=1-2", "{% qs cursor=None %}", "?status=errors"),
        ("status=errors", "{% qs status=None %}", "?"),
        ("type=a&type=b&text=x+y", '{% qs last="7d" %}', "?type=a&amp;type=b&amp;text=x+y&amp;last=7d"),
        ("status=errors", '{% qs status="5xx" %}', "?status=5xx"),
    ],
)
def test_a_query_is_changed_in_place(query: str, tag: str, said: str):
    context = Context({"request": RequestFactory().get(f"/?{query}")})
    assert Template("{% load portal %}" + tag).render(context) == said
