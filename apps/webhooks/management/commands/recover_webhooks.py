import time
from datetime import datetime
from typing import Any

from django.core.management.base import CommandError, CommandParser

from apps.common.errors import GatewayError
from apps.common.progress import LongCommand, ProgressBar
from apps.gateway.periodic import recorded
from apps.webhooks.models import UNDER_WAY, Endpoint, Recovery
from apps.webhooks.selectors import progress_of
from apps.webhooks.services.advance_recoveries import advance_recoveries
from apps.webhooks.services.recover import (
    DEFAULT_PER_MINUTE,
    Selection,
    preview,
    resume_recovery,
    start_recovery,
    stop_recovery,
)

LOOK_SECONDS = 1.0


class Command(LongCommand):
    help = "Resend in bulk what an endpoint missed. The workers do it; these actions start, show and stop it."
    again = "The recovery continues in the background: show or watch it."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for name, words in (
            ("preview", "count the events, and send none"),
            ("start", "send one event first, then the others"),
        ):
            action = actions.add_parser(name, help=words)
            action.add_argument("endpoint", help="we_…")
            action.add_argument("--since", required=True, type=instant, help="RFC 3339, with its offset")
            action.add_argument("--event-type", action="append", default=[], dest="event_types")
            action.add_argument(
                "--include-missed", action="store_true", help="also events from while it was disabled"
            )
            action.add_argument("--per-minute", type=int, default=DEFAULT_PER_MINUTE)
        for name, words in (
            ("show", "print how far it is"),
            ("watch", "show how far it is until it ends"),
            ("stop", "send nothing more"),
            ("resume", "continue one that was stopped or halted"),
        ):
            actions.add_parser(name, help=words).add_argument("recovery", help="whr_…")
        actions.add_parser("advance", help="make one step in every recovery under way, without Celery")

    def handle(self, *, action: str, **options: Any) -> None:
        try:
            self.stdout.write(getattr(self, f"_{action}")(**options))
        except GatewayError as refused:
            raise CommandError(f"{refused.message} {refused.extras or ''}".strip()) from None
        except (Endpoint.DoesNotExist, Recovery.DoesNotExist):
            raise CommandError("No endpoint or recovery has this id.") from None

    def _preview(self, *, endpoint: str, **options: Any) -> str:
        found = preview(endpoint=_endpoint(endpoint), selection=_selection(options))
        return f"{found.total} events: {found.unsuccessful} not delivered, {found.missed} missed."

    def _start(self, *, endpoint: str, per_minute: int, **options: Any) -> str:
        recovery = start_recovery(
            endpoint=_endpoint(endpoint), selection=_selection(options), per_minute=per_minute
        )
        return _words(recovery)

    def _show(self, *, recovery: str, **options: Any) -> str:
        return _words(_recovery(recovery))

    def _watch(self, *, recovery: str, **options: Any) -> str:
        with ProgressBar("recover_webhooks", "events") as shown:
            done = 0
            while (found := _recovery(recovery)).status in UNDER_WAY:
                progress = progress_of(found)
                shown.expect(progress.total)
                ended = progress.total - progress.waiting - progress.sent
                shown.advance(ended - done)
                done = ended
                time.sleep(LOOK_SECONDS)
        return _words(found)

    def _stop(self, *, recovery: str, **options: Any) -> str:
        return _words(stop_recovery(recovery=_recovery(recovery)))

    def _resume(self, *, recovery: str, **options: Any) -> str:
        return _words(resume_recovery(recovery=_recovery(recovery)))

    def _advance(self, **options: Any) -> str:
        with recorded("webhooks.advance_recoveries") as tally:
            due = advance_recoveries(tally=tally)
        return f"{due} deliveries made due."


def instant(text: str) -> datetime:
    """An RFC 3339 time; one without an offset is a ValueError, which argparse reports."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError
    return found


def _endpoint(endpoint_id: str) -> Endpoint:
    return Endpoint.objects.get(pk=endpoint_id, deleted_at=None)


def _recovery(recovery_id: str) -> Recovery:
    return Recovery.objects.select_related("endpoint").get(pk=recovery_id)


def _selection(options: dict[str, Any]) -> Selection:
    return Selection(
        since=options["since"],
        event_types=tuple(options["event_types"]),
        include_missed=options["include_missed"],
    )


def _words(recovery: Recovery) -> str:
    progress = progress_of(recovery)
    reason = f" ({recovery.halt_reason})" if recovery.halt_reason else ""
    return (
        f"{recovery.id} {recovery.status}{reason}: {progress.total} events, {progress.delivered} delivered, "
        f"{progress.not_accepted} not accepted, {progress.sent} sent, {progress.skipped} skipped, "
        f"{progress.waiting} waiting."
    )
