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
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.generic import FormView

from apps.accounts.actors import actor_of
from apps.accounts.invitations import (
    accept_as,
    accept_with_password,
    ended_invitation,
    has_sign_in,
    invitation_of,
)
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


@method_decorator(never_cache, name="dispatch")
class AcceptInvitationView(FormView):  # type: ignore[type-arg]
    """There is no other way to sign up. The link proves the address, because only the invited person reads the mail."""

    http_method_names = ["get", "post"]
    template_name, form_class = "account/invitation.html", JoinForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            self.invitation = invitation_of(kwargs["token"])
            return super().dispatch(request, *args, **kwargs)
        except NotFound:
            invitation, why = ended_invitation(kwargs["token"])
            inviter = actor_of(invitation.invited_by).label if invitation is not None else ""
            shown = {"invitation": invitation, "why": why, "inviter": inviter}
            return render(request, "account/invitation_over.html", shown, status=410)

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "user": User(email=self.invitation.email)}

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        inviter = actor_of(self.invitation.invited_by).label
        shown = {"invitation": self.invitation, "inviter": inviter}
        return super().get_context_data(**shown, case=case_of(self.invitation, self.request), **more)

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        case = case_of(self.invitation, request)
        if case == JOIN:
            assert isinstance(request.user, User)
            accept_as(token=token, user=request.user, address=client_address(request))
            return self.welcome(redirect("start"))
        return super().post(request) if case == NEW else redirect("invitation", token)

    def form_valid(self, form: JoinForm) -> HttpResponse:
        """Create the user and sign them in. The portal asks for two-factor next."""
        try:
            user = accept_with_password(
                token=self.kwargs["token"],
                password=form.cleaned_data["password1"],
                name=form.cleaned_data["name"],
                address=client_address(self.request),
            )
        except Conflict:  # the sign-in was set up in between: the person uses it
            return redirect("invitation", self.kwargs["token"])
        return self.welcome(perform_password_login(self.request, {"email": user.email}, Login(user=user)))

    def form_invalid(self, form: JoinForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=400)

    def welcome(self, response: HttpResponse) -> HttpResponse:
        self.request.session[ACCOUNT_SESSION_KEY] = self.invitation.account_id
        messages.success(self.request, f"You are a member of {self.invitation.account.name} now.")
        return response


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
