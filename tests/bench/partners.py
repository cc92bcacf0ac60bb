"""`python -m tests.bench.partners 256`: so many partners without limits, each with a rate to book.

Of the service, or with the peer's settings of the peer. Printed as JSON: [{"secret", "rateId"}].
"""

import json
import sys
import uuid

import django
from django.conf import settings
from django.test import Client

BALANCE_CENTS = 10**12


def ours(number: int) -> dict[str, str]:
    from apps.onboarding.partners import Terms, onboard_partner

    rates = dict.fromkeys(("SEARCH", "BOOKING", "READ"), 10**8)
    terms = Terms(name="Bench", currency="EUR", balance_cents=BALANCE_CENTS, rates=rates, search_quota=10**8)
    secret = onboard_partner(terms).test_secret
    answer = Client(SERVER_NAME="localhost").post(
        "/v1/hotels/searches",
        {"destination": {"city": "Paris"}, "limit": 1},
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}", "Idempotency-Key": uuid.uuid4().hex},
    )
    assert answer.status_code == 201, answer.content
    return {"secret": secret, "rateId": answer.json()["hotels"][0]["rates"][0]["rateId"]}


def the_peers(number: int) -> dict[str, str]:
    from django.contrib.auth.models import User
    from rest_framework.authtoken.models import Token

    from tests.bench.peer.models import Partner, Search, Wallet
    from tests.bench.peer.views import offers_of

    user = User.objects.create(username=f"partner-{number}")
    partner = Partner.objects.create(user=user, name=f"Partner {number}")
    Wallet.objects.create(partner=partner, available_cents=BALANCE_CENTS)
    (offer,) = offers_of(Search.objects.create(partner=partner, request={}), {"limit": 1}, minutes=10**6)
    offer.save()
    return {"secret": Token.objects.create(user=user).key, "rateId": str(offer.pk)}


if __name__ == "__main__":
    django.setup()
    make = the_peers if "tests.bench.peer" in settings.INSTALLED_APPS else ours
    print(json.dumps([make(number) for number in range(int(sys.argv[1]))]))
