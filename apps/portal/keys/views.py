"""The list of API keys, and the page of one key."""

from django.http import HttpRequest, HttpResponse

from apps.accounts.actors import actor_of
from apps.common import clock
from apps.common.environments import Environment
from apps.gateway.request_log.selectors import last_calls_of
from apps.keys.models import ApiKey
from apps.keys.selectors import audit_of, key_of, page_of_keys, revoked_keys_of
from apps.portal.audit.sentences import sentences_of
from apps.portal.context import DEVELOPERS, PortalContext
from apps.portal.form_views import ObjectView
from apps.portal.keys.usage import KeyRow, usage_of
from apps.portal.list_view import ListView


class KeyListView(ListView):
    section = "keys"

    def get(self, request: HttpRequest) -> HttpResponse:
        portal, cursor = self.portal, self.cursor
        page = page_of_keys(portal.account_id, portal.environment, cursor=cursor)
        last_calls = last_calls_of(key.pk for key in page.keys)
        revoked = [] if cursor else revoked_keys_of(portal.account_id, portal.environment)
        return self.render(
            "portal/keys/index.html",
            {
                "rows": [KeyRow(key, last_calls.get(key.pk)) for key in page.keys],
                "older": page.older,
                "cursor": cursor,
                "revoked": [KeyRow(key, None) for key in revoked],
                "may_create": portal.has_role(DEVELOPERS),
                "approved": is_approved(portal),
            },
        )


class KeyView(ObjectView[ApiKey]):
    """A page about one key."""

    section = "keys"

    def get_object(self, key_id: str) -> ApiKey:
        return key_of(self.portal.account_id, self.portal.environment, key_id)

    def address_of(self, key: ApiKey) -> str:
        return self.portal.reverse("key", key_id=key.pk)


class KeyDetailView(KeyView):
    def get(self, request: HttpRequest, key_id: str) -> HttpResponse:
        key = self.object_or_404(key_id=key_id)
        may_change = self.portal.has_role(DEVELOPERS) and key.revoked_at is None
        return self.render(
            "portal/keys/detail.html",
            {
                "key": key,
                "created_by": actor_of(key.created_by).label,
                "usage": usage_of(key),
                "sentences": sentences_of(audit_of(key)),
                "may_change": may_change,
            },
        )


def is_approved(portal: PortalContext) -> bool:
    """Whether keys can be created and rotated in this environment. The services decide it again."""
    return portal.environment == Environment.TEST or portal.account.may_issue_live_keys(clock.now())
