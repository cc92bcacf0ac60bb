"""The overview of webhooks: the endpoints and what is being recovered."""

from django.http import HttpRequest, HttpResponse

from apps.accounts import clocks
from apps.portal.base_view import PortalView
from apps.portal.context import DEVELOPERS
from apps.portal.webhooks.endpoints.state import endpoint_states
from apps.webhooks.models import UNDER_WAY
from apps.webhooks.selectors import endpoints_of, recoveries_of
from apps.webhooks.services.endpoints import MAX_ENDPOINTS


class WebhooksView(PortalView):
    section = "webhooks"

    def get(self, request: HttpRequest) -> HttpResponse:
        account_id, environment = self.portal.account_id, self.portal.environment
        endpoints = endpoints_of(account_id, environment)
        states = endpoint_states(account_id, environment, endpoints, clocks.now_here())
        return self.render(
            "portal/webhooks/index.html",
            {
                "states": states,
                "recoveries": list(recoveries_of(account_id, environment).filter(status__in=UNDER_WAY)),
                "may_change": self.portal.has_role(DEVELOPERS),
                "most": MAX_ENDPOINTS,
                "is_full": len(states) >= MAX_ENDPOINTS,
            },
        )
