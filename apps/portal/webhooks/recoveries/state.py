"""A recovery as its page shows it: its progress, and what to do where it halted."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.webhooks.models import UNDER_WAY, HaltReason, Recovery, RecoveryStatus
from apps.webhooks.selectors import Progress, progress_of

STATUS_TEXTS = {
    RecoveryStatus.CANARY: "One delivery goes first. When it is accepted, the others follow.",
    RecoveryStatus.RUNNING: "The first was accepted; the others follow, the oldest first.",
    RecoveryStatus.STOPPED: "It was stopped by hand. What was sent stays sent.",
    RecoveryStatus.FINISHED: "Everything of it has been sent.",
}
HALT_TEXTS = {
    HaltReason.CANARY_FAILED: "The first delivery was not accepted, so the others were kept back. Look at its answer, fix the "
    "receiver, send a test, then resume.",
    HaltReason.FAILURES_IN_A_ROW: "Ten in a row were not accepted, so the others were kept back. Fix the receiver, or choose a "
    "slower pace, then resume.",
    HaltReason.ENDPOINT_DISABLED: "The endpoint is disabled. Enable it, then resume.",
}


@dataclass(frozen=True, slots=True)
class RecoveryState:
    progress: Progress
    text: str
    since: datetime
    until: datetime | None
    event_types: list[str]
    is_under_way: bool
    may_stop: bool
    may_resume: bool
    left: timedelta | None
    """How long until the last delivery is sent, at the chosen pace."""

    @property
    def done(self) -> int:
        return self.progress.delivered + self.progress.not_accepted + self.progress.skipped


def state_of_recovery(recovery: Recovery) -> RecoveryState:
    progress, status = progress_of(recovery), RecoveryStatus(recovery.status)
    under_way = status in UNDER_WAY
    selection, until = recovery.selection, recovery.selection.get("until")
    return RecoveryState(
        progress=progress,
        text=HALT_TEXTS[HaltReason(recovery.halt_reason)] if recovery.halt_reason else STATUS_TEXTS[status],
        since=datetime.fromisoformat(selection["since"]),
        until=datetime.fromisoformat(until) if until else None,
        event_types=list(selection["eventTypes"]),
        is_under_way=under_way,
        may_stop=under_way or status == RecoveryStatus.HALTED,
        may_resume=status in (RecoveryStatus.HALTED, RecoveryStatus.STOPPED),
        left=timedelta(minutes=progress.waiting / recovery.per_minute) if under_way else None,
    )
