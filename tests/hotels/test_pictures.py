"""The pictures of simulated hotels, at addresses that need no key."""

from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from django.test import Client

from tests.hotels.front_desk import FrontDesk

PICTURE = "/hotels/pictures/htl_2267057_03-{}.svg"


@pytest.mark.django_db
def test_every_picture_of_a_search_can_be_fetched_without_a_key(desk: FrontDesk, client: Client) -> None:
    hotels = desk.hotels({"limit": 6})
    found = [image["url"] for hotel in hotels for image in hotel["images"]]
    assert len(found) == len(set(found)) > 6
    for url in found:
        assert url.startswith("http://127.0.0.1:8000/hotels/pictures/")
        assert client.get(urlsplit(url).path).status_code == 200


@pytest.mark.parametrize("subject", ["front", "room", "lobby", "pool"])
def test_a_picture_is_a_small_svg_and_always_the_same(client: Client, subject: str) -> None:
    response = client.get(PICTURE.format(subject))
    assert response.headers["Content-Type"] == "image/svg+xml"
    assert response.headers["Content-Security-Policy"] == "default-src 'none'"
    assert response.headers["Cache-Control"] == "public, max-age=86400"
    assert len(response.content) < 6_000
    assert ElementTree.fromstring(response.content).tag == "{http://www.w3.org/2000/svg}svg"
    assert client.get(PICTURE.format(subject)).content == response.content


@pytest.mark.parametrize(
    "name",
    [
        "htl_2267057_03-roof.svg",
        "htl_2267057_03.svg",
        "htl_2267057_3-front.svg",
        "htl_22670571111_03-front.svg",
        "HTL_2267057_03-front.svg",
        "htl_2267057_03-front.png",
        "htl_2267057_03-front.svg.svg",
        "htl_2267057_03-front%0A.svg",
        "..%2f..%2fetc%2fpasswd.svg",
    ],
)
def test_names_of_another_form_are_not_found(client: Client, name: str) -> None:
    assert client.get(PICTURE.format("front")).status_code == 200
    assert client.get(f"/hotels/pictures/{name}").status_code == 404
