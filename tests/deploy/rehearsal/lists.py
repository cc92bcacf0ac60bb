"""The portal's list of bookings is read from the standby, and from the primary while the standby is far behind."""

import re
import time

import requests

from tests.deploy.rehearsal.failures import Outcome
from tests.deploy.rehearsal.site import Site
from tests.support.flight_shop import FlightShop
from tests.support.stack import HttpApi

BEHIND_SECONDS, PAUSE_SECONDS = 30.0, 0.2
TRIES, AGAIN_SECONDS = 12, 2.0
LOGIN, BOOKINGS = "/account/login/", "/portal/test/bookings/"
PAUSED, RESUMED = "SELECT pg_wal_replay_pause()", "SELECT pg_wal_replay_resume()"


class Person:
    """Signed in to the portal."""

    def __init__(self, site: Site) -> None:
        self._url, self._session = site.front.url, requests.Session()
        form = self._session.get(self._url + LOGIN, timeout=30)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form.text)
        assert token is not None, form.status_code
        who = {"login": site.partner["portalEmail"], "password": site.partner["portalPassword"]}
        fields = {"csrfmiddlewaretoken": token[1], **who}
        signed = self._session.post(self._url + LOGIN, fields, timeout=30, allow_redirects=False)
        assert signed.status_code == 302, signed.status_code

    def sees(self, reference: str) -> bool:
        page = self._session.get(self._url + BOOKINGS, timeout=30, allow_redirects=False)
        assert page.status_code == 200, page.status_code
        return reference in page.text


def lists(site: Site, times: int) -> Outcome:
    """What the standby has not replayed is not in the list: so the list is the standby's. Then the primary answers.

    `seconds`: until the list shows what only the primary has, because the standby is too far behind.
    """
    outcome = Outcome(f"the standby paused, from which the portal's lists are read × {times}")
    person, shop = Person(site), FlightShop(HttpApi(site.front.url, site.secret))
    for _ in range(times):
        reference = unseen(site, person, shop)
        if reference is None:
            outcome.wrong.append("no list was read from the standby")
            continue
        began = time.monotonic()
        while not person.sees(reference) and time.monotonic() - began < BEHIND_SECONDS:
            time.sleep(PAUSE_SECONDS)
        outcome.seconds.append(time.monotonic() - began)
        if outcome.seconds[-1] >= BEHIND_SECONDS:
            outcome.wrong.append("the primary never answered for the standby")
        site.postgres.standby.ask(RESUMED)
        outcome.acknowledged += 1
    return outcome


def unseen(site: Site, person: Person, shop: FlightShop) -> str | None:
    """The reference of an order that the list does not show, while the standby stands still; None where each was shown.

    A process that found the standby away leaves it alone for ten seconds, and answers from the primary: so it is tried again.
    """
    for _ in range(TRIES):
        site.postgres.standby.ask(PAUSED)
        reference = str(shop.ordered()["reference"])
        if not person.sees(reference):
            return reference
        site.postgres.standby.ask(RESUMED)
        time.sleep(AGAIN_SECONDS)
    return None
