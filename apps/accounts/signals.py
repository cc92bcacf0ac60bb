"""Signals of an account to the apps above it, which it may not import."""

from django.dispatch import Signal

account_added = Signal()
"""Sent with `account` when staff have added one in the back office, in the same transaction. The ledger opens its test wallet."""

live_approved = Signal()
"""Sent with `account` in the transaction that approves it for live keys. The ledger opens its live wallet, if it has none."""

sandbox_changed = Signal()
"""Sent with `account_id` in the transaction that changes the clock or the faults of that test environment."""

clock_moved = Signal()
"""Sent with `account_id` and `advance` in the transaction that moves the clock of that test environment.

A receiver with something scheduled there pulls its time back by `advance`, so that it comes as much sooner.
"""

account_changed = Signal()
"""Sent with `account` in the transaction that changes it, so that cached copies can go out of use with it."""
