"""All scenarios, by subject. A new one is a function in the file of its subject."""

from tests.suppliers.kit.scenarios import account, answers, bookings, money
from tests.suppliers.kit.scenarios.base import Scenario

SCENARIOS: list[Scenario] = [
    scenario for subject in (account, answers, bookings, money) for scenario in subject.SCENARIOS
]
