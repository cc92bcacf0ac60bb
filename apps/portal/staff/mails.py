"""The back office's page on which each of our staff chooses their mails."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from apps.accounts.actors import signed_in
from apps.accounts.mails import choose_mails, chosen_mails
from apps.accounts.models import StaffMailKind


class MailsForm(forms.Form):
    kinds = forms.MultipleChoiceField(
        label="Mail me when",
        choices=StaffMailKind.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )


def mails_view(request: HttpRequest) -> HttpResponse:
    person = signed_in(request)
    data = request.POST if request.method == "POST" else None
    form = MailsForm(data, initial={"kinds": chosen_mails(person)})
    if form.is_valid():
        choose_mails(person=person, kinds=form.cleaned_data["kinds"])
        messages.success(request, f"Saved. Mails go to {person.email}.")
        return redirect("staff:mails")
    context: dict[str, Any] = {**admin.site.each_context(request), "title": "Mails", "form": form}
    return TemplateResponse(request, "admin/mails.html", context)
