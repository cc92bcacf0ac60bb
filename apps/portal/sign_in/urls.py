"""/account/…: the pages of django-allauth that we offer, by its own names; sign-up is by invitation alone."""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from django.urls import path, re_path
from django.views.generic import RedirectView

from apps.portal.sign_in import passkeys
from apps.portal.sign_in.security import SecurityView, SessionsView
from apps.portal.sign_in.views import AcceptInvitationView, ResetRequestView, SetUpView

urlpatterns = [
    path("login/", account.login, name="account_login"),
    path("logout/", account.logout, name="account_logout"),
    path("inactive/", account.account_inactive, name="account_inactive"),
    path("invitation/<str:token>/", AcceptInvitationView.as_view(), name="invitation"),
    path("reauthenticate/", account.reauthenticate, name="account_reauthenticate"),
    path("security/", SecurityView.as_view(), name="mfa_index"),
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
    path("two-factor/", RedirectView.as_view(pattern_name="mfa_index")),
    path("two-factor/code/", passkeys.CodeView.as_view(), name="mfa_authenticate"),
    path("two-factor/reauthenticate/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("two-factor/set-up/", SetUpView.as_view(), name="mfa_activate_totp"),
    path("two-factor/remove/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("passkeys/add/", passkeys.AddPasskeyView.as_view(), name="mfa_add_webauthn"),
    path("passkeys/<int:pk>/remove/", passkeys.RemovePasskeyView.as_view(), name="mfa_remove_webauthn"),
    path("passkeys/sign-in/", passkeys.SignInWithPasskeyView.as_view(), name="mfa_login_webauthn"),
    path("passkeys/confirm/", passkeys.ConfirmWithPasskeyView.as_view(), name="mfa_reauthenticate_webauthn"),
    path("recovery-codes/", recovery_codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("recovery-codes/new/", recovery_codes.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path(
        "recovery-codes/download/", recovery_codes.download_recovery_codes, name="mfa_download_recovery_codes"
    ),
]
