from django.urls import path

from apps.portal.views.team.inviting import InviteMember, ResendInvitation, WithdrawInvitation
from apps.portal.views.team.listing import Team
from apps.portal.views.team.managing import ChangeRole, RemoveMember

urlpatterns = [
    path("", Team.as_view(), name="team"),
    path("invite/", InviteMember.as_view(), name="team_invite"),
    path("members/<int:member_id>/role/", ChangeRole.as_view(), name="member_role"),
    path("members/<int:member_id>/remove/", RemoveMember.as_view(), name="member_remove"),
    path("invitations/<str:invitation_id>/resend/", ResendInvitation.as_view(), name="invitation_resend"),
    path(
        "invitations/<str:invitation_id>/withdraw/", WithdrawInvitation.as_view(), name="invitation_withdraw"
    ),
]
