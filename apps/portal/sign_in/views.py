"""The pages of /account/ that are not django-allauth's as they come: invitations, the link to a new password, the set-up."""

import logging
from typing import Any

from allauth.account.forms import ResetPasswordForm as AllauthResetPasswordForm
from allauth.account.forms import SetPasswordForm
from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from allauth.account.views import PasswordResetView
from allauth.mfa.totp.views import ActivateTOTPView
from django import forms
from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.views import View

from apps.accounts.actors import actor_of
from apps.accounts.invitations import accept_as, accept_with_password, has_sign_in, invitation_of
from apps.accounts.members import find_user
from apps.accounts.models import Invitation, User
from apps.common.errors import Conflict, NotFound
from apps.common.validators import name_fault
from apps.gateway.client_ip import client_address
from apps.portal.context import ACCOUNT_SESSION_KEY
from apps.portal.errors import unavailable
from apps.portal.tasks import mail_reset_link

logger = logging.getLogger(__name__)

NEW, SIGN_IN, JOIN, SOMEBODY_ELSE = "new", "sign_in", "join", "somebody_else"


class JoinForm(SetPasswordForm):  # type: ignore[misc]
    """The password, and optionally the name, of a new person."""

    name = forms.CharField(
        label="Your name",
        required=False,
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        help_text="Optional. Your team sees it.",
    )
    field_order = ["name", "password1", "password2"]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name and (fault := name_fault(name)):
            raise forms.ValidationError(f"A name {fault}.")
        return name


class AcceptInvitationView(View):
    """There is no other way to sign up. The link proves the address, because only the invited person reads the mail."""

    http_method_names = ["get", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            response = super().dispatch(request, *args, **kwargs)
        except NotFound:
            response = render(request, "account/invitation_over.html", status=410)
        add_never_cache_headers(response)
        return response

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        invitation = invitation_of(token)
        return self.page(invitation, self.form(invitation))

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        invitation = invitation_of(token)
        case = case_of(invitation, request)
        if case == JOIN:
            assert isinstance(request.user, User)
            accept_as(token=token, user=request.user, address=client_address(request))
            return self.welcome(invitation, redirect("start"))
        if case == NEW:
            form = self.form(invitation, request.POST)
            return (
                self.register(token, invitation, form)
                if form.is_valid()
                else self.page(invitation, form, 400)
            )
        return redirect("invitation", token)

    def register(self, token: str, invitation: Invitation, form: JoinForm) -> HttpResponse:
        """Create the user and sign them in. The portal asks for two-factor next."""
        said = form.cleaned_data
        try:
            user = accept_with_password(
                token=token,
                password=said["password1"],
                name=said["name"],
                address=client_address(self.request),
            )
        except Conflict:  # the sign-in was set up in between: the person uses it
            return redirect("invitation", token)
        return self.welcome(
            invitation, perform_password_login(self.request, {"email": user.email}, Login(user=user))
        )

    def welcome(self, invitation: Invitation, response: HttpResponse) -> HttpResponse:
        self.request.session[ACCOUNT_SESSION_KEY] = invitation.account_id
        messages.success(self.request, f"You are a member of {invitation.account.name} now.")
        return response

    def form(self, invitation: Invitation, data: Any = None) -> JoinForm:
        return JoinForm(User(email=invitation.email), data)

    def page(self, invitation: Invitation, form: JoinForm, status: int = 200) -> HttpResponse:
        context = {
            "invitation": invitation,
            "inviter": actor_of(invitation.invited_by).label,
            "form": form,
            "case": case_of(invitation, self.request),
        }
        return render(self.request, "account/invitation.html", context, status=status)


def case_of(invitation: Invitation, request: HttpRequest) -> str:
    """What the visitor has to do next: one of NEW, SIGN_IN, JOIN, SOMEBODY_ELSE."""
    user = request.user
    if isinstance(user, User):
        return JOIN if user.email.lower() == invitation.email.lower() else SOMEBODY_ELSE
    person = find_user(invitation.email)
    return SIGN_IN if person is not None and has_sign_in(person) else NEW


class BrokerUnavailable(Exception):
    """The broker takes no task now. The response is the same for known and unknown addresses."""


class ResetPasswordForm(AllauthResetPasswordForm):  # type: ignore[misc]
    """Looks up no user, so known and unknown addresses get the same response in the same time."""

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        return email.strip()

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Queue the mail. Raises BrokerUnavailable."""
        email: str = self.cleaned_data["email"]
        try:
            mail_reset_link.apply_async(
                args=[email, client_address(request)], retry=False, ignore_result=True
            )
        except Exception as failure:  # the broker's client raises many kinds
            logger.exception("No link to a new password could be ordered")
            raise BrokerUnavailable from failure
        return email


class ResetRequestView(PasswordResetView):  # type: ignore[misc]
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response: HttpResponse = super().post(request, *args, **kwargs)
        except BrokerUnavailable:
            return unavailable(request)
        return response


class SetUpView(ActivateTOTPView):  # type: ignore[misc]
    def form_valid(self, form: Any) -> HttpResponse:
        """Of two clicks at once the second finds the work of the first done, and leads where that one does."""
        try:
            response: HttpResponse = super().form_valid(form)
        except IntegrityError:
            return redirect("mfa_view_recovery_codes")
        return response
