"""Partners of our own: `python -m tests.bench.partners 256`, in the environment of the server.

Each has limits that are out of the way, and a rate that can be booked for the next twenty minutes. Printed as JSON:
[{"secret", "rateId"}].
"""

import json
import os
import sys
import uuid

import django
from django.test import Client

from tests.bench import stays

BALANCE_CENTS = 10**12


def main(count: int) -> None:
    client = Client(SERVER_NAME="localhost")
    print(json.dumps([partner(client, number) for number in range(count)]))


def partner(client: Client, number: int) -> dict[str, str]:
    from apps.onboarding.services.onboard_partner import Terms, onboard_partner

    rates = dict.fromkeys(("SEARCH", "BOOKING", "READ"), 10**8)
    terms = Terms(name="Bench", currency="EUR", balance_cents=BALANCE_CENTS, rates=rates, search_quota=10**8)
    secret = onboard_partner(terms).test_secret
    wanted = stays.search(stays.LARGE_CITIES[number % len(stays.LARGE_CITIES)])
    headers = {"Authorization": f"Bearer {secret}", "Idempotency-Key": uuid.uuid4().hex}
    answer = client.post("/v1/hotels/searches", wanted, content_type="application/json", headers=headers)
    assert answer.status_code == 201, answer.content
    return {"secret": secret, "rateId": answer.json()["hotels"][0]["rates"][0]["rateId"]}


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.settings"
    django.setup()
    main(int(sys.argv[1]))
