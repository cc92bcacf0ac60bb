from django.http import Http404, HttpRequest, HttpResponse

from apps.gateway.errors import NotFound
from apps.keys.models import ApiKey
from apps.keys.selectors import audit_of, key_of
from apps.portal.key_history import history_of, name_of
from apps.portal.key_use import use_of
from apps.portal.place import DEVELOPERS, PortalView


class KeyView(PortalView):
    section = "keys"

    def key(self, key_id: str) -> ApiKey:
        try:
            return key_of(self.place.account.pk, self.place.environment, key_id)
        except NotFound:
            raise Http404 from None


class Key(KeyView):
    def get(self, request: HttpRequest, key_id: str) -> HttpResponse:
        key = self.key(key_id)
        may_change = self.place.is_one_of(DEVELOPERS) and key.revoked_at is None
        return self.render(
            "portal/keys/detail.html",
            {
                "key": key,
                "made_by": name_of(key.created_by),
                "use": use_of(key),
                "history": history_of(audit_of(key)),
                "may_change": may_change,
            },
        )
