"""The navigation at the side has an entry for each section, and marks that of the page."""

import re

from apps.portal.navigation import navigation

LINK = re.compile(r'<a href="([^"]+)"( aria-current="page")?>')


def test_the_section_of_the_page_is_marked_and_no_other():
    links = LINK.findall(navigation("test", "bookings"))
    assert [address for address, marked in links if marked] == ["/portal/test/bookings/"]
    assert len(links) == 12
    assert [address for address, marked in LINK.findall(navigation("test", "team")) if marked] == [
        "/portal/team/"
    ]


def test_every_environment_has_its_own_and_the_sandbox_stands_in_test_alone():
    test, live = ([address for address, _ in LINK.findall(navigation(each, ""))] for each in ("test", "live"))
    assert [address for address in test if address.startswith("/portal/live/")] == []
    assert [address for address in live if address.startswith("/portal/test/")] == []
    assert set(test) - {address.replace("/live/", "/test/") for address in live} == {"/portal/test/sandbox/"}
