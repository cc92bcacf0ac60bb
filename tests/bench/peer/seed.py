"""`python -m tests.bench.peer.seed 256`: that many partners, each with a token, a wallet and an offer that can be booked.

Printed as JSON: [{"secret", "rateId"}].
"""

import json
import os
import sys
from datetime import UTC, datetime

import django

FAR = datetime(2100, 1, 1, tzinfo=UTC)


def main(count: int) -> None:
    print(json.dumps([partner(number) for number in range(1, count + 1)]))


def partner(number: int) -> dict[str, str]:
    from django.contrib.auth.models import User
    from rest_framework.authtoken.models import Token

    from tests.bench.peer import supplier
    from tests.bench.peer.models import Offer, Partner, Search, Wallet

    user = User.objects.create(username=f"partner-{number}")
    made = Partner.objects.create(user=user, name=f"Partner {number}")
    Wallet.objects.create(partner=made, available_cents=10**15)
    search = Search.objects.create(partner=made, request={})
    columns = supplier.offers({"limit": 1})[0]
    offer = Offer.objects.create(search=search, **{**columns, "expires_at": FAR})
    return {"secret": Token.objects.create(user=user).key, "rateId": str(offer.pk)}


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.peer.settings"
    django.setup()
    main(int(sys.argv[1]))
