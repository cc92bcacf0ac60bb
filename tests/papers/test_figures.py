"""Figures and lists in the papers are those of the code."""

import re

import pytest
from django.conf import settings

from apps.common import errors
from apps.gateway import sandbox
from apps.keys import scopes
from apps.suppliers.vendors import vendors_of
from apps.webhooks.catalogue import CATALOGUE, SUBSCRIBABLE
from tests.papers.papers import DOCS, sections

RATES = settings.RATE_LIMITS


@pytest.mark.parametrize(
    "said",
    [
        f"SEARCH {RATES['SEARCH']}, BOOKING {RATES['BOOKING']}, READ {RATES['READ']}",
        f"{settings.SEARCH_QUOTA_PER_DAY:,} a UTC day",
        f"at most {settings.MAX_BODY_BYTES // 1024} KiB",
        f"kept for {settings.IDEMPOTENCY_RETENTION_HOURS} hours",
        f"a lease of {settings.IDEMPOTENCY_LEASE_SECONDS} seconds",
        f"live for {settings.OFFER_MINUTES} minutes at most",
        f"the same record for {settings.SEARCH_RECORD_HOURS} hours",
    ],
)
def test_the_contract_says_what_the_settings_say(said: str) -> None:
    assert said in " ".join((DOCS / "contract.md").read_text().split())


def test_the_contract_lists_the_scopes() -> None:
    table = sections("contract")[3].text
    assert set(re.findall(r"\| `([a-z]+:[a-z]+)` \|", table)) == set(scopes.ENFORCED)
    told = table[table.index("### Scopes") : table.index("### Keys")]
    assert set(re.findall(r"`([a-z]+:[a-z]+)`", told)) == {*scopes.WITHOUT_EFFECT, "webhooks:manage"}


def test_the_contract_lists_the_triggers() -> None:
    assert (
        tuple(re.findall(r"^\| `(sbx_[a-z_]+)` \|", sections("contract")[3].text, re.MULTILINE))
        == sandbox.TRIGGERS
    )


def test_the_specification_lists_the_events() -> None:
    told = set(re.findall(r"`([a-z_]+\.[a-z_]+)`", sections("specification")[6].text))
    assert told == {event.name for event in CATALOGUE} | {"webhook.test"}
    assert {event.name for event in CATALOGUE} - SUBSCRIBABLE == {"checkout.created", "checkout.expired"}


def test_the_specification_and_the_contract_list_the_types_of_errors() -> None:
    table = sections("specification")[7].text.partition("Rules:")[0]
    told = set(re.findall(r"`([a-z]+(?:_[a-z]+)+|conflict)`", table))
    types = {
        error.type
        for error in vars(errors).values()
        if isinstance(error, type)
        and issubclass(error, errors.GatewayError)
        and error is not errors.GatewayError
    }
    added = types - told
    assert added == {"event_forgotten", "payment_failed", "product_not_offered"}, "which the contract adds"
    assert [name for name in added if f"`{name}`" not in sections("contract")[3].text] == []


def test_the_suppliers_page_has_the_times_of_look_ups_of_those_that_it_presents() -> None:
    rows = re.findall(
        r"^\| (\w+) \| ([\d, ]+) \| (\d) hours? \|$", sections("suppliers")[1].text, re.MULTILINE
    )
    told = {
        name.lower(): ([int(when.replace(",", "")) for when in times.split(", ")], int(hours) * 3_600)
        for name, times, hours in rows
    }
    presented = re.findall(r"`apps/(\w+)/suppliers/(\w+)/`", (DOCS / "suppliers.md").read_text())
    lookups = {name: vendors_of(product)[name].lookups for product, name in presented}
    assert presented
    assert told == {name: (list(due.at), due.give_up_after) for name, due in lookups.items() if due}
