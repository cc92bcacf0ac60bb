"""/account/…: the pages of django-allauth that we offer, by its own names; sign-up is by invitation alone."""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from django.urls import path, re_path

from apps.portal.sign_in.views import AcceptInvitationView, ResetRequestView, SessionsView, SetUpView

urlpatterns = [
    path("login/", account.login, name="account_login"),
    path("logout/", account.logout, name="account_logout"),
    path("inactive/", account.account_inactive, name="account_inactive"),
    path("invitation/<str:token>/", AcceptInvitationView.as_view(), name="invitation"),
    path("reauthenticate/", account.reauthenticate, name="account_reauthenticate"),
    path("sessions/", SessionsView.as_view(), name="usersessions_list"),
    path("password/change/", account.password_change, name="account_change_password"),
    path("password/set/", account.password_set, name="account_set_password"),
    path("password/reset/", ResetRequestView.as_view(), name="account_reset_password"),
    path("password/reset/done/", account.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("two-factor/", mfa.index, name="mfa_index"),
    path("two-factor/code/", mfa.authenticate, name="mfa_authenticate"),
    path("two-factor/reauthenticate/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("two-factor/set-up/", SetUpView.as_view(), name="mfa_activate_totp"),
    path("two-factor/remove/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("recovery-codes/", recovery_codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("recovery-codes/new/", recovery_codes.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path(
        "recovery-codes/download/", recovery_codes.download_recovery_codes, name="mfa_download_recovery_codes"
    ),
]
