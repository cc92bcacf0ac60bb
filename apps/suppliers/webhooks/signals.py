"""What a supplier's webhook tells the apps above this one, which it may not import."""

from django.dispatch import Signal

hint_stored = Signal()
"""Sent once a new hint is committed. It may be lost: the sweep finds the hint."""
