"""The team: who is a member, in which role, and who is invited."""

from django.http import HttpRequest, HttpResponse

from apps.accounts.actors import actor_of
from apps.accounts.selectors.team import members_of, pending_invitations_of
from apps.common import clock
from apps.portal.base_view import PortalView
from apps.portal.context import OWNERS
from apps.portal.sign_in.two_factor import with_authenticator


class TeamView(PortalView):
    section = "team"
    account_wide = True
    allowed_roles_to_post = OWNERS

    def get(self, request: HttpRequest) -> HttpResponse:
        account_id, now = self.portal.account.pk, clock.now()
        pending = pending_invitations_of(account_id)
        members = members_of(account_id, two_factor=with_authenticator("user_id"))
        return self.render(
            "portal/team/index.html",
            {
                "members": members,
                "invitations": [
                    (each, actor_of(each.invited_by).label, each.is_open(now)) for each in pending
                ],
                "may_manage": self.portal.has_role(OWNERS),
            },
        )
