"""All scenarios, by subject. A new one is a function in the file of its subject."""

from tests.suppliers.kit.scenarios import (
    answers,
    cancellations,
    changes,
    connections,
    credentials,
    lookups,
    orders,
    prices,
    statuses,
    topups,
    values,
    webhooks,
)
from tests.suppliers.kit.scenarios.base import Scenario

SUBJECTS = (
    answers,
    cancellations,
    changes,
    connections,
    credentials,
    lookups,
    orders,
    prices,
    statuses,
    topups,
    values,
    webhooks,
)
SCENARIOS: list[Scenario] = [scenario for subject in SUBJECTS for scenario in subject.SCENARIOS]
