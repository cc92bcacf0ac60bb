"""What an account tells the apps above it, which it may not import."""

from django.dispatch import Signal

account_changed = Signal()
"""Sent with `account` in the transaction that changes it, so that cached copies can go out of use with it."""
