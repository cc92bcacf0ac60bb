"""How states are shown: one tone for one meaning, over all products."""

from functools import lru_cache
from typing import NamedTuple


class State(NamedTuple):
    tone: str
    """`good`, `busy` (in progress), `warn`, `bad`, or `quiet` (over, or not begun)."""
    label: str


TONES = {
    "good": "active approved confirmed succeeded delivered enabled ok provisioned captured accepted finished verified ticketed "
    "held completed resent passed",
    "busy": "pending awaiting_approval awaiting on_hold requested processing running rotating queued scheduled sending "
    "recovering due canary",
    "warn": "read-only lapsed expiring held_long changed unverified disputed paused last_attempt_failed retrying",
    "bad": "failed failing suspended disabled revoked refused rejected exhausted error expired stuck dead halted",
    "quiet": "cancelled none released refunded skipped ended unknown archived stopped",
}
CALLED = {"lapsed": "Expired", "refused": "Declined", "exhausted": "Failed"}
"""States that people know by another word than the API does."""
TONE_OF = {state: tone for tone, states in TONES.items() for state in states.split()}


@lru_cache
def state_of(value: str) -> State:
    return State(
        TONE_OF.get(value, "quiet"),
        CALLED.get(value) or value.replace("_", " ").replace("-", " ").capitalize(),
    )
