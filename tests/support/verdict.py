"""`python -m tests.support.verdict URL`: what `invariants` finds in the database of DATABASE_URL, by the judge at URL."""

import json
import sys

import django
import requests

django.setup()

from tests.support.invariants import violations  # noqa: E402 - models can be imported only now

report = requests.post(f"{sys.argv[1]}/control/report", json={}, timeout=10).json()["result"]
print(json.dumps(violations(report)))
