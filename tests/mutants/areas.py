"""Where faults are planted, and which tests have to notice them."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

PRODUCTS = ("hotels", "flights", "transfers", "esim")
AREAS: dict[str, list[str]] = {
    "ledger": ["apps/ledger"],
    "bookings": ["apps/bookings"],
    "gateway": ["apps/gateway"],
    "keys": ["apps/keys"],
    "webhooks": ["apps/webhooks"],
    # What prices, holds, charges and gives back; how it is shown is the contract tests' matter.
    "products": [f"apps/{product}/{room}" for product in PRODUCTS for room in ("services", "prices.py")],
}
# Wiring, pages for staff, and text: held to the frozen document, the import contract and the tests of pages.
LEFT_OUT = (
    "migrations/",
    "management/",
    "/apps.py",
    "/urls.py",
    "admin.py",
    "/forms.py",
    "/browsing.py",
    "serializers.py",
)
LEFT_OUT_TEXTS = (
    "gateway/openapi/",
    "gateway/schema.py",
    "gateway/fields.py",
)

# Beside its mirrored files (apps/x/y.py ↔ tests/x/test_y.py, tests/x/test_y_*.py), what the tests of a module are. A folder
# stands for all in it.
ELSEWHERE: dict[str, list[str]] = {
    "apps/bookings/call_outcomes/": ["tests/bookings/call_outcomes", "tests/portal/call_outcomes"],
    "apps/bookings/listing": ["tests/bookings/test_updated_since.py"],
    # The steps of a booking are tested as the flow that they are parts of.
    "apps/bookings/services/": [
        "tests/bookings/services",
        "tests/bookings/test_no_call_inside_a_transaction.py",
    ],
    "apps/bookings/services/perform": ["tests/sandbox/test_simulate.py"],
    "apps/bookings/services/prune": ["tests/bookings/call_outcomes/test_views.py"],
    # Who is told of a run that went wrong.
    "apps/bookings/services/polling": ["tests/bookings/test_tasks.py"],
    "apps/bookings/services/reconcile": [
        "tests/bookings/test_settlements_admin.py",
        "tests/bookings/test_tasks.py",
    ],
    "apps/bookings/services/recover": ["tests/bookings/test_review_mails.py", "tests/bookings/test_tasks.py"],
    "apps/bookings/services/settle": ["tests/bookings/test_event_sequence.py"],
    "apps/bookings/presenters": ["tests/bookings/travellers/test_rest.py"],
    "apps/bookings/statements": ["tests/bookings/travellers/test_rest.py"],
    "apps/bookings/tasks": ["tests/bookings/test_backlog.py"],
    "apps/bookings/travellers/": [
        "tests/bookings/travellers",
        "tests/bookings/services/test_erase.py",
        "tests/bookings/services/test_forget_travellers.py",
        "tests/bookings/services/test_seal_travellers.py",
    ],
    "apps/bookings/travellers/renew": ["tests/common/test_reencryption.py"],
    "apps/bookings/updated_since": ["tests/contract/test_since.py"],
    "apps/esim/services/book": ["tests/esim/services"],
    "apps/esim/services/list_plans": ["tests/esim/test_plan_pages.py"],
    "apps/esim/services/offer_top_ups": ["tests/esim/services/test_top_up.py"],
    "apps/esim/services/order": [
        "tests/esim/services/test_top_up.py",
        "tests/esim/services/test_top_up_lost.py",
    ],
    "apps/esim/services/sync": ["tests/esim/management/test_sync_esim_plans.py"],
    "apps/flights/services/": ["tests/flights/services/test_supplier_steps.py"],
    "apps/flights/services/airline_changes": [
        "tests/flights/services/test_accept_schedule_change.py",
        "tests/flights/suppliers/duffel/test_airline_moves.py",
    ],
    "apps/flights/services/creation_failed": ["tests/flights/suppliers/duffel/test_webhooks.py"],
    "apps/flights/services/handlers": ["tests/flights/services/test_cancel.py"],
    "apps/hotels/services/orphans": ["tests/hotels/suppliers/liteapi/test_orphans.py"],
    "apps/gateway/request_log/drain": ["tests/gateway/request_log/test_writer.py"],
    "apps/gateway/request_log/draft": [
        "tests/gateway/request_log/test_entry.py",
        "tests/gateway/request_log/test_refusals.py",
    ],
    "apps/gateway/request_log/entry": [
        "tests/gateway/request_log/test_draft.py",
        "tests/gateway/request_log/test_refusals.py",
    ],
    "apps/gateway/request_log/headers": [
        "tests/gateway/request_log/test_draft.py",
        "tests/gateway/request_log/test_entry_facts.py",
        "tests/gateway/request_log/test_refusals.py",
    ],
    "apps/gateway/idempotency": [
        "tests/gateway/test_call_spans.py",  # what a retry is linked to
        "tests/gateway/test_idempotency_claims.py",
        "tests/gateway/test_idempotency_key.py",
        "tests/gateway/test_idempotency_records.py",
    ],
    "apps/gateway/envelope": ["tests/gateway/test_compression.py"],
    "apps/gateway/finish": ["tests/gateway/metrics/test_calls_by_gate.py"],
    "apps/gateway/request_log/note": ["tests/gateway/metrics/test_calls_by_gate.py"],
    "apps/gateway/probes": [
        "tests/contract/test_releases.py",
        "tests/gateway/test_health_token.py",
        "tests/gateway/test_heartbeats.py",
    ],
    "apps/gateway/declared": [
        "tests/contract/test_faults_together.py",
        "tests/contract/test_since.py",
        "tests/gateway/test_freed_calls.py",
    ],
    "apps/gateway/middleware": [
        "tests/gateway/test_call_spans.py",
        "tests/gateway/test_compression.py",
        "tests/gateway/test_paths_and_methods.py",
        "tests/gateway/test_probes.py",
    ],
    "apps/gateway/request_log/models": ["tests/gateway/request_log/test_selectors_strays.py"],
    "apps/gateway/request_log/prune": ["tests/gateway/request_log/test_drain.py"],
    "apps/gateway/request_log/stream": ["tests/gateway/request_log/test_writer.py"],
    "apps/gateway/request_log/writer": [
        "tests/gateway/request_log/test_entry.py",
        "tests/gateway/request_log/test_refusals.py",
        "tests/gateway/request_log/test_writer_pauses.py",
    ],
    "apps/gateway/search_quota": ["tests/gateway/test_search_units.py"],
    "apps/gateway/pagination": ["tests/bookings/test_listing.py"],
    "apps/gateway/periodic/": ["tests/gateway/periodic/test_recording.py"],
    "apps/gateway/steps": [
        "tests/contract/test_order_of_checks.py",
        "tests/contract/test_scopes.py",
        "tests/gateway/request_log/test_refusals.py",
        "tests/gateway/test_idempotency_records.py",
        "tests/gateway/test_rate_limits.py",
        "tests/sandbox/test_live_keys.py",
    ],
    "apps/gateway/views.py": ["tests/sandbox/test_clock_views.py"],  # whom a thread works for after a call
    "apps/hotels/services/": [
        "tests/hotels/test_bookings.py",
        "tests/hotels/test_cancelling.py",
        "tests/hotels/test_rates.py",
        "tests/hotels/test_searches.py",
    ],
    "apps/keys/key_cache": ["tests/keys"],  # what it holds decides who is let in
    "apps/keys/receivers": ["tests/keys"],
    "apps/keys/scopes": ["tests/keys/test_offered.py"],
    "apps/ledger/services/move": ["tests/ledger/services"],  # which every movement of staff's comes down to
    # What carries them out: the movements, and a booking's own statements, which contain them.
    "apps/ledger/statements": [
        "tests/ledger/services",
        "tests/ledger/test_races.py",
        "tests/bookings/test_statements.py",
        "tests/bookings/test_statements_ends.py",
        "tests/bookings/test_races.py",
    ],
    "apps/ledger/services/resolve": [
        "tests/ledger/services/test_capture.py",
        "tests/bookings/test_statements.py",
        "tests/bookings/test_statements_ends.py",
    ],
    "apps/ledger/receivers": ["tests/ledger/services", "tests/accounts/services"],
    "apps/transfers/services/": ["tests/transfers/services"],
    "apps/webhooks/doctor/": ["tests/webhooks/doctor", "tests/webhooks/services/test_consult_doctor.py"],
    "apps/webhooks/exams/": ["tests/webhooks/exams", "tests/webhooks/services/test_take_exams.py"],
    "apps/webhooks/sender/": ["tests/webhooks/sender"],
    "apps/webhooks/listening/": ["tests/webhooks/management/test_listen.py"],
    "apps/webhooks/sender/client": ["tests/webhooks/sender/test_tls.py"],
    "apps/webhooks/services/": ["tests/webhooks/services"],
    "apps/webhooks/services/prune": [
        "tests/onboarding/services/sandboxes/test_reset.py",
        "tests/webhooks/test_receivers.py",
    ],
    "apps/webhooks/services/record": ["tests/webhooks/test_metrics.py"],
    "apps/webhooks/services/retire": ["tests/onboarding/services/sandboxes"],
    "apps/webhooks/services/take_exams": ["tests/webhooks/exams"],
}


def modules(area: str) -> list[str]:
    """The area's modules, by their paths from the root."""
    found = []
    for place in AREAS[area]:
        path = ROOT / place
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    names = [str(path.relative_to(ROOT)) for path in found]
    return [name for name in names if not any(part in name for part in (*LEFT_OUT, *LEFT_OUT_TEXTS))]


def tests_of(module: str) -> list[str]:
    """The test files of a module, its own first. A module without any is left to all the tests of its app."""
    own = _own(module)
    return list(dict.fromkeys([*own, *_elsewhere(module)])) if own else tests_of_app(module)


def tests_of_app(module: str) -> list[str]:
    """All the test files of a module's app, the module's own first; those of its suppliers are not of the app's own code."""
    every = [path for path in _files(f"tests/{module.split('/')[1]}") if "/suppliers/" not in path]
    return list(dict.fromkeys([*_own(module), *_elsewhere(module), *every]))


def _own(module: str) -> list[str]:
    """Its mirrored file, and those that its tests were split into: test_x.py, test_x_*.py."""
    own = [path for path in _mirrors(module) if (ROOT / path).exists()]
    parts = [path.removesuffix(".py") + "_*.py" for path in own]
    return own + sorted(str(found.relative_to(ROOT)) for part in parts for found in ROOT.glob(part))


def _elsewhere(module: str) -> list[str]:
    named = [path for part, paths in ELSEWHERE.items() if module.startswith(part) for path in paths]
    return [file for path in named for file in _files(path)]


def _files(path: str) -> list[str]:
    if path.endswith(".py"):
        return [path] if (ROOT / path).exists() else []
    return sorted(str(file.relative_to(ROOT)) for file in (ROOT / path).rglob("test_*.py"))


def _mirrors(module: str) -> Iterator[str]:
    parts = Path(module).parts[1:]
    folder, stem = "/".join(("tests", *parts[:-1])), parts[-1].removesuffix(".py")
    yield f"{folder}/test_{stem}.py"
    if stem == "__init__":
        yield f"{folder}.py".replace(f"/{parts[-2]}.py", f"/test_{parts[-2]}.py")
