from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.common.errors import GatewayError
from apps.webhooks.models import Endpoint, Event
from apps.webhooks.services.resend import replay


class Command(BaseCommand):
    help = "Send one event again, to an endpoint of its account."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", help="evt_…")
        parser.add_argument("endpoint", help="we_…")

    def handle(self, *, event: str, endpoint: str, **options: Any) -> None:
        try:
            delivery = replay(event=Event.objects.get(pk=event), endpoint=Endpoint.objects.get(pk=endpoint))
        except GatewayError as refused:
            raise CommandError(refused.message) from None
        except (Event.DoesNotExist, Endpoint.DoesNotExist) as unknown:
            raise CommandError(str(unknown)) from None
        self.stdout.write(f"{delivery.id} is due now.")
