from django.urls import path

from apps.portal.team.invitation_views import InvitationResendView, InvitationWithdrawView, InviteMemberView
from apps.portal.team.member_views import MemberRemoveView, MemberRoleView
from apps.portal.team.views import TeamView

urlpatterns = [
    path("", TeamView.as_view(), name="team"),
    path("invite/", InviteMemberView.as_view(), name="team_invite"),
    path("members/<int:member_id>/role/", MemberRoleView.as_view(), name="member_role"),
    path("members/<int:member_id>/remove/", MemberRemoveView.as_view(), name="member_remove"),
    path("invitations/<str:invitation_id>/resend/", InvitationResendView.as_view(), name="invitation_resend"),
    path(
        "invitations/<str:invitation_id>/withdraw/",
        InvitationWithdrawView.as_view(),
        name="invitation_withdraw",
    ),
]
