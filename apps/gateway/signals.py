"""Signals for the apps above the gateway."""

from django.dispatch import Signal

call_ended = Signal(use_caching=True)
"""A call of /v1 or /sandbox has its answer, whether or not it reached a view.

Arguments: `request` (a PartnerRequest) and `response` (an Answer). A receiver must not raise.
"""
