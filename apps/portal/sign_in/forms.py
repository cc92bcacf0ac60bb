"""Forms of django-allauth that we change: the two-factor code, the present password, the request for a link to a new one."""

from typing import Any

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.forms import ChangePasswordForm as AllauthChangePasswordForm
from allauth.account.forms import ResetPasswordForm as AllauthResetPasswordForm
from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from django.http import HttpRequest

from apps.portal.sign_in import codes, password_reset
from apps.portal.sign_in.attempt_limits import count_code

LONGEST_CODE = 100


class OneTimeCodeForm(BaseAuthenticateForm):  # type: ignore[misc]
    """Accepts each code once, and limits wrong codes. Raises TooManyAttempts, which `rate_limits.rate_limited` answers."""

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"][:LONGEST_CODE]
        attempt = count_code(context.request, self.user)
        mine = list(Authenticator.objects.filter(user=self.user, type__in=["totp", "recovery_codes"]))
        mine.sort(key=lambda each: each.type != Authenticator.Type.TOTP)
        for authenticator in mine:
            if codes.accept(authenticator, code):
                attempt.succeeded()
                authenticator.user = self.user
                self.authenticator = authenticator
                return code
        if mine:
            self._emit_authentication_failed(mine[0])
        raise get_adapter().validation_error("incorrect_code")


class CodeForm(OneTimeCodeForm, AuthenticateForm):  # type: ignore[misc]
    """The second step of signing in."""


class CodeAgainForm(OneTimeCodeForm, ReauthenticateForm):  # type: ignore[misc]
    """Asked again before a secret is shown or changed."""


class ChangePasswordForm(AllauthChangePasswordForm):  # type: ignore[misc]
    """Counts the present password like any other that is given, and writes a wrong one down. Raises TooManyAttempts as above."""

    def clean_oldpassword(self) -> str:
        given: str = self.cleaned_data["oldpassword"]
        if not get_account_adapter().reauthenticate(self.user, given):
            raise get_account_adapter().validation_error("enter_current_password")
        return given


class ResetPasswordForm(AllauthResetPasswordForm):  # type: ignore[misc]
    """Looks up no user, so known and unknown addresses get the same answer in the same time."""

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        return email.strip()

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        email: str = self.cleaned_data["email"]
        password_reset.request_link(request, email)
        return email
