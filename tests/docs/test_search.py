import pytest
from django.test import Client

from apps.docs.search import search


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("price_changed", "/docs/errors/price_changed"),
        ("createHotelBooking", "/docs/reference/hotels/create-hotel-booking"),
        ("sbx_slow", "/docs/guides/testing"),
        ("time zones", "/docs/guides/concepts"),
        ("Rotate signing", "/docs/reference/webhooks/rotate-webhook-secret"),
        ("webhook", "/docs/guides/webhooks"),
        ("retries", "/docs/guides/errors-and-retries"),
        ("idempotency", "/docs/guides/errors-and-retries"),
        ("limits", "/docs/guides/authentication"),
        ("pagin", "/docs/guides/concepts"),
        ("first call", "/docs/guides/get-started"),
    ],
)
def test_the_page_that_one_looks_for_comes_first(query: str, first: str):
    assert search(query)[0].path == first


def test_all_words_must_be_there():
    assert search("hotels zzzz") == []
    assert search("hotels")


@pytest.mark.parametrize(
    "query", ["", "   ", "%00", "a" * 100_000, "<script>", "'; --", "\u2028é漢", "....", "[" * 200]
)
def test_any_input_has_an_answer(query: str):
    for path in ("/docs/search", "/docs/search/found"):
        answer = Client().get(path, {"q": query})
        assert answer.status_code == 200
        assert len(answer.content) < 60_000
        if path == "/docs/search":
            assert "<script>" not in answer.content.decode().partition("<main")[2]


def test_the_search_reads_without_scripts():
    text = Client().get("/docs/search", {"q": "cancel hotel"}).content.decode()
    assert '<a href="/docs/reference/hotels/cancel-hotel-booking">Cancel a hotel booking</a>' in text
    assert 'value="cancel hotel"' in text
    assert "noindex" in text


def test_nothing_found_says_so():
    assert Client().get("/docs/search/found?q=zzzz").json() == {
        "said": "No page contains “zzzz”. Try fewer or other words.",
        "pages": [],
    }
