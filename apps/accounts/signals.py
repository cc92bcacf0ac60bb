"""Signals of an account to the apps above it, which it may not import."""

from django.dispatch import Signal

account_added = Signal()
"""Sent with `account` when staff have added one in the back office, in the same transaction. The ledger opens its wallets."""

account_changed = Signal()
"""Sent with `account` in the transaction that changes it, so that cached copies can go out of use with it."""
