"""Passkeys: log in without a password, or use one instead of the code after it.

A passkey is resident and verifies its user (fingerprint, face, PIN), so it is two factors by itself. Browsers bind it to the host
name of the page; an IP address has none.
"""

import json
from functools import wraps
from ipaddress import ip_address
from typing import Any

from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms as allauth
from allauth.mfa.webauthn.internal import auth, flows
from allauth.mfa.webauthn.views import (
    AddWebAuthnView,
    LoginWebAuthnView,
    ReauthenticateWebAuthnView,
    RemoveWebAuthnView,
)
from django import forms
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse_lazy
from fido2.utils import websafe_encode
from fido2.webauthn import RegistrationResponse

MOST = 10
"""Passkeys of one person: each login reads them all."""
ODD = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What the library raises for credentials that no browser makes."""
NOT_ACCEPTED = "This passkey was not accepted. Try again, or use another way."


def are_possible(request: HttpRequest) -> bool:
    """Whether the page has a host name."""
    try:
        ip_address(request.get_host().rpartition(":")[0].strip("[]") or request.get_host())
    except ValueError:
        return True
    return False


def refusing(clean: Any) -> Any:
    """A check of a form that refuses what the library cannot read."""

    @wraps(clean)
    def refuse(form: forms.Form) -> Any:
        try:
            return clean(form)
        except ODD:
            raise forms.ValidationError(NOT_ACCEPTED) from None
        except forms.ValidationError as error:
            if getattr(error, "code", None) != "incorrect_code":  # the library means a one-time code
                raise
            raise forms.ValidationError(NOT_ACCEPTED) from None

    return refuse


def as_text(options: dict[str, Any]) -> str:
    """For an attribute of the form: the policy of our pages admits no script in them, not even data."""
    return json.dumps(options, cls=DjangoJSONEncoder)


class CredentialField(forms.JSONField):
    """What the browser's authenticator signed, as JSON."""

    widget = forms.HiddenInput

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except RecursionError:
            raise forms.ValidationError(NOT_ACCEPTED) from None

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Never shown again: a credential answers one challenge."""
        return initial


class AddPasskeyForm(allauth.AddWebAuthnForm):  # type: ignore[misc]
    name = forms.CharField(max_length=64, required=False, help_text="For example “Laptop” or “Phone”.")
    credential = CredentialField()
    passwordless = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def clean_passwordless(self) -> bool:
        return True

    @refusing
    def clean(self) -> dict[str, Any]:
        if Authenticator.objects.filter(user=self.user, type=Authenticator.Type.WEBAUTHN).count() >= MOST:
            raise forms.ValidationError(f"You have {MOST} passkeys. Remove one before you add another.")
        cleaned: dict[str, Any] = super().clean()
        if credential := cleaned.get("credential"):
            cleaned["credential"] = essence(credential)
        return cleaned


def essence(credential: dict[str, Any]) -> dict[str, Any]:
    """What is stored of a checked credential: nothing else that the browser sent with it."""
    response = RegistrationResponse.from_dict(credential).response
    data = response.attestation_object.auth_data.credential_data
    assert data is not None
    of_key = websafe_encode(data.credential_id)
    return {
        "id": of_key,
        "rawId": of_key,
        "type": "public-key",
        "response": {
            "clientDataJSON": websafe_encode(bytes(response.client_data)),
            "attestationObject": websafe_encode(bytes(response.attestation_object)),
        },
        "clientExtensionResults": {"credProps": {"rk": True}},
    }


class CodeOrPasskeyForm(allauth.AuthenticateWebAuthnForm):  # type: ignore[misc]
    credential = CredentialField()
    clean_credential = refusing(allauth.AuthenticateWebAuthnForm.clean_credential)


class SignInForm(allauth.LoginWebAuthnForm):  # type: ignore[misc]
    credential = CredentialField()
    clean_credential = refusing(allauth.LoginWebAuthnForm.clean_credential)


class ConfirmForm(allauth.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    credential = CredentialField()
    clean_credential = refusing(allauth.ReauthenticateWebAuthnForm.clean_credential)


class CodeView(AuthenticateView):  # type: ignore[misc]
    """After the password: a code, or a passkey where the person has one."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        if auth.get_credentials(self.stage.login.user):
            context["passkey_options"] = as_text(context["js_data"]["request_options"])
        return context


class AddPasskeyView(AddWebAuthnView):  # type: ignore[misc]
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super(AddWebAuthnView, self).get_context_data(**kwargs)
        options = as_text(auth.begin_registration(self.request.user, True))
        return {**context, "passkey_options": options, "are_possible": are_possible(self.request)}


class RemovePasskeyView(RemoveWebAuthnView):  # type: ignore[misc]
    success_url = reverse_lazy("mfa_index")


class SignInWithPasskeyView(LoginWebAuthnView):  # type: ignore[misc]
    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The options for the page's script."""
        return JsonResponse(auth.begin_authentication(user=None))

    def form_valid(self, form: SignInForm) -> HttpResponse:
        authenticator = form.cleaned_data["credential"]
        login = Login(user=authenticator.user, redirect_url=get_next_redirect_url(self.request))
        response: HttpResponse = flows.perform_passwordless_login(self.request, authenticator, login)
        return response


class ConfirmWithPasskeyView(ReauthenticateWebAuthnView):  # type: ignore[misc]
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return {**context, **kwargs, "passkey_options": as_text(context["js_data"]["request_options"])}

    def form_invalid(self, form: ConfirmForm) -> HttpResponse:
        response: HttpResponse = self.render_to_response(self.get_context_data(form=form), status=400)
        return response
