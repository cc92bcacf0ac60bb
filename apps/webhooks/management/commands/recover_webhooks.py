from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.common.errors import GatewayError
from apps.gateway.periodic import recorded
from apps.webhooks.models import Endpoint, Recovery
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


class Command(BaseCommand):
    help = "Send again in bulk what an endpoint missed: preview, start, show, stop, resume; advance is the sweep."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for name, words in (
            ("preview", "say how many it would be"),
            ("start", "start: one first, then the others"),
        ):
            action = actions.add_parser(name, help=words)
            action.add_argument("endpoint", help="we_…")
            action.add_argument("--since", required=True, type=instant, help="RFC 3339, with its offset")
            action.add_argument("--event-type", action="append", default=[], dest="event_types")
            action.add_argument(
                "--include-missed", action="store_true", help="also what happened while it was disabled"
            )
            action.add_argument("--per-minute", type=int, default=DEFAULT_PER_MINUTE)
        for name in ("show", "stop", "resume"):
            actions.add_parser(name).add_argument("recovery", help="whr_…")
        actions.add_parser("advance", help="one step of all that are under way, without Celery")

    def handle(self, *, action: str, **options: Any) -> None:
        try:
            self.stdout.write(getattr(self, f"_{action}")(**options))
        except GatewayError as refused:
            raise CommandError(f"{refused.message} {refused.extras or ''}".strip()) from None
        except (Endpoint.DoesNotExist, Recovery.DoesNotExist):
            raise CommandError("There is none with this id.") from None

    def _preview(self, *, endpoint: str, **options: Any) -> str:
        found = preview(endpoint=_endpoint(endpoint), selection=_selection(options))
        return f"{found.total} events: {found.unsuccessful} failed or exhausted, {found.missed} missed."

    def _start(self, *, endpoint: str, per_minute: int, **options: Any) -> str:
        recovery = start_recovery(
            endpoint=_endpoint(endpoint), selection=_selection(options), per_minute=per_minute
        )
        return _words(recovery)

    def _show(self, *, recovery: str, **options: Any) -> str:
        return _words(_recovery(recovery))

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
