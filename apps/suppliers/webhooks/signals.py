"""The signal by which the apps above this one, which it may not import, learn of a supplier's webhook."""

from django.dispatch import Signal

hint_stored = Signal()
"""Sent once a new hint is committed. It may be lost: the sweep finds the hint."""
