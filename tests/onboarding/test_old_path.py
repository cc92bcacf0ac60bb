"""Operators' scripts of release 1.1 open partners through the path of then."""

from apps.bookings.services import onboard_partner as old
from apps.onboarding.services import onboard_partner as new


def test_the_path_of_release_1_1_leads_to_the_same_service():
    assert (old.onboard_partner, old.Terms) == (new.onboard_partner, new.Terms)
