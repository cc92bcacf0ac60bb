from django.http import HttpRequest, HttpResponse

from apps.common import clock
from apps.portal.endpoint_state import states_of
from apps.portal.place import DEVELOPERS, PortalView
from apps.webhooks.models import UNDER_WAY
from apps.webhooks.selectors import endpoints_of, recoveries_of
from apps.webhooks.services.endpoints import MAX_ENDPOINTS


class Webhooks(PortalView):
    section = "webhooks"

    def get(self, request: HttpRequest) -> HttpResponse:
        account_id, environment = self.place.account.pk, self.place.environment
        endpoints = list(endpoints_of(account_id, environment))
        return self.render(
            "portal/webhooks/index.html",
            {
                "states": states_of(account_id, environment, endpoints, clock.now()),
                "recoveries": list(recoveries_of(account_id, environment).filter(status__in=UNDER_WAY)),
                "may_change": self.place.is_one_of(DEVELOPERS),
                "most": MAX_ENDPOINTS,
                "is_full": len(endpoints) >= MAX_ENDPOINTS,
            },
        )
