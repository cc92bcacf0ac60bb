from django.http import HttpRequest, HttpResponse

from apps.gateway.request_log.selectors import last_calls_of
from apps.keys.selectors import page_of_keys, revoked_keys_of
from apps.portal.key_use import Row
from apps.portal.place import DEVELOPERS, PortalView
from apps.portal.views.keys.issuing import is_approved


class Keys(PortalView):
    section = "keys"

    def get(self, request: HttpRequest) -> HttpResponse:
        place, cursor = self.place, request.GET.get("cursor") or None
        page = page_of_keys(place.account.pk, place.environment, cursor=cursor)
        last_calls = last_calls_of(key.pk for key in page.keys)
        revoked = [] if cursor else revoked_keys_of(place.account.pk, place.environment)
        return self.render(
            "portal/keys/index.html",
            {
                "rows": [Row(key, last_calls.get(key.pk)) for key in page.keys],
                "older": page.older,
                "cursor": cursor,
                "revoked": [Row(key, None) for key in revoked],
                "may_create": place.is_one_of(DEVELOPERS),
                "approved": is_approved(place),
            },
        )
