"""Rotating a key's secret, and ending the old secret early."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse

from apps.keys.models import ApiKey
from apps.keys.services.end_old_secrets import end_old_secrets
from apps.keys.services.rotate import rotate_key
from apps.portal.base_view import GET_AND_POST
from apps.portal.form_views import Question
from apps.portal.keys.change_views import KeyFormView
from apps.portal.keys.forms import EndOldSecretsForm, RotateKeyForm
from apps.portal.keys.secret_views import show_secret
from apps.portal.keys.usage import KeyUsage, usage_of
from apps.portal.keys.views import is_approved
from apps.portal.templatetags.portal import span


class KeyRotateView(KeyFormView):
    template, form_class = "portal/keys/rotate.html", RotateKeyForm
    reauthenticated_methods = GET_AND_POST

    def extra_context(self, key: ApiKey) -> dict[str, Any]:
        return {"usage": usage_of(key), "approved": is_approved(self.portal)}

    def change(self, key: ApiKey, form: RotateKeyForm) -> HttpResponse:
        secret = rotate_key(key=key, overlap=form.length(), actor=self.actor)
        return show_secret(self, key.pk, secret)


class EndOldSecretsView(KeyFormView):
    """The page before the old secret ends. It says whether calls still use that secret.

    The password is not asked for again, because no secret is made or shown.
    """

    template, form_class = "portal/confirm.html", EndOldSecretsForm

    def page(self, key: ApiKey, form: forms.Form, *, status: int = 200) -> HttpResponse:
        usage = usage_of(key)
        if not usage.is_rotating:
            return self.ended_already(key)
        for refusal in form.non_field_errors():
            messages.warning(self.request, str(refusal))
        fresh = EndOldSecretsForm(initial={"newest": usage.current.secret.pk})
        shown = {"form": fresh, "question": question_about(key, usage), "back": self.address_of(key)}
        return self.render(self.template, shown, status=status)

    def change(self, key: ApiKey, form: EndOldSecretsForm) -> HttpResponse:
        if not end_old_secrets(key=key, newest=form.cleaned_data["newest"], actor=self.actor):
            return self.ended_already(key)
        return self.done(key, f"The newest secret of “{key.name}” is the only one that works now.")

    def ended_already(self, key: ApiKey) -> HttpResponse:
        messages.info(self.request, "No old secret of this key works any more.")
        return self.back(key)


def question_about(key: ApiKey, usage: KeyUsage) -> Question:
    old = ", ".join(f"{each.secret.prefix}…" for each in usage.ending)
    return Question(
        heading=f"End the old secret of “{key.name}”?",
        warning=f"Every call with {old} is refused from the next second on, with 401 api_key_expired.",
        consequences=[
            who_is_cut_off(usage),
            f"{usage.current.secret.prefix}… goes on as the only secret of the key.",
            "You cannot undo this. Another rotation gives another secret.",
        ],
        button="End the old secret",
    )


def who_is_cut_off(usage: KeyUsage) -> str:
    if usage.has_moved:
        return f"0 calls on the old one for {span(usage.silent_for)}: the traffic has moved."
    if not usage.current.calls:
        return "No call with the new secret yet: servers without it are cut off."
    return f"0 calls on the old one for {span(usage.silent_for)} only: servers that still use it are cut off."
