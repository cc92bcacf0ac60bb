"""The refusal of a sign-in that comes too fast. The client waits, no thread of ours does."""

from math import ceil


class TooManyAttempts(Exception):
    """`seconds` until the next attempt is accepted. `may_reset`: a link to a new password works before that."""

    def __init__(self, seconds: float, *, may_reset: bool = False) -> None:
        super().__init__()
        self.seconds = max(1, ceil(seconds))
        self.may_reset = may_reset
