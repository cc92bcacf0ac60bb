"""What is not judged, and why."""

from collections.abc import Mapping

# The last migration of each app that release 1.1.0 had. What deployments have run is not rewritten; a new one runs it on empty
# tables. Move it with each release.
RELEASED: Mapping[str, str] = {
    "accounts": "0007",
    "bookings": "0007",
    "esim": "0002",
    "flights": "0003",
    "gateway": "0004",
    "hotels": "0004",
    "keys": "0003",
    "ledger": "0007",
    "portal": "0001",
    "suppliers": "0006",
    "transfers": "0003",
    "webhooks": "0005",
}

# `app.migration` → part of the sentence → why it may be so.
EXCEPTIONS: Mapping[str, Mapping[str, str]] = {
    "accounts.0010_sandboxes": {
        "accounts_account_sandbox_of_id": "accounts are few: a row a partner or sandbox, indexed in milliseconds",
    },
    "ledger.0009_arrivals_once_in_all_wallets": {
        "movement_arrival_once": "movements that staff propose are few, and the rule must never be off",
    },
    "ledger.0012_check_once_what_one_statement_writes": {
        "LOCK TABLE ledger_transaction": "both tables are locked in the order of bookings, and let go a moment later",
    },
    "ledger.0013_warn_below": {
        "wallet_warns_above_zero": "wallets are few: two an account, read in milliseconds",
    },
    "ledger.0014_test_money_by_one_person": {
        "movement_decided_by_a_second_person": "movements that staff propose are few, and the rule must never be off",
        "ledger_staffmovement stays locked": "staff alone propose movements, and may wait for a second",
    },
    "keys.0007_move_key_trail_into_account_trail": {
        "LOCK TABLE keys_keyauditentry": "changes of keys are few; none may be written between the copy and the view",
        "keys_keyauditentry is dropped": "a view of the same name takes its place, which the release before reads and writes",
    },
}
