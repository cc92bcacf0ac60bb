"""The signature doctor: paste what arrived, read what is wrong with it. Nothing of it is stored, logged or reported."""

import base64
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from apps.portal.base import PortalView
from apps.portal.context import DEVELOPERS
from apps.portal.lists import MomentField
from apps.portal.webhooks.deliveries import shortened
from apps.webhooks.doctor import Diagnosis, Pasted, consult_doctor
from apps.webhooks.selectors import endpoints_of

MAX_BODY_BYTES = 64 * 1024
AREA = {"class": "mono", "rows": 7, "spellcheck": "false", "autocomplete": "off"}


class DoctorForm(forms.Form):
    endpoint = forms.ChoiceField(label="Endpoint", help_text="The one that was called.")
    headers = forms.CharField(max_length=16 * 1024, widget=forms.Textarea(attrs=AREA), required=False)
    body = forms.CharField(
        max_length=2 * MAX_BODY_BYTES, widget=forms.Textarea(attrs=AREA), strip=False, required=False
    )
    written_as = forms.ChoiceField(
        label="Body encoding",
        choices=[("text", "as text"), ("base64", "in base64")],
        help_text="Base64 keeps every byte, including line breaks.",
    )
    computed = forms.CharField(label="What your code computed, if you know", max_length=512, required=False)
    received_at = MomentField(label="When it arrived, if you know")

    def clean(self) -> dict[str, Any]:
        """`bytes`: those that the body stands for. Browsers send line breaks of a text field as CR LF."""
        given = self.cleaned_data
        body = given.get("body", "")
        try:
            is_text = given.get("written_as") != "base64"
            given["bytes"] = body.replace("\r\n", "\n").encode() if is_text else base64.b64decode(body)
        except ValueError:
            self.add_error("body", "This cannot be decoded: check the encoding.")
        if len(given.get("bytes", b"")) > MAX_BODY_BYTES:
            self.add_error("body", "At most 64 KiB: no delivery of ours is larger.")
        return given


@method_decorator(sensitive_post_parameters("headers", "body", "computed"), name="dispatch")
class DoctorView(PortalView):
    section = "doctor"
    allowed_roles = DEVELOPERS

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(self.form(initial={"endpoint": request.GET.get("endpoint", "")}))

    def post(self, request: HttpRequest) -> HttpResponse:
        form = self.form(request.POST)
        if not form.is_valid():
            return self.page(form, status=400)
        given = form.cleaned_data
        pasted = Pasted(headers_of(given["headers"]), given["bytes"], given["computed"], given["received_at"])
        return self.page(form, consult_doctor(endpoint=self.endpoints[given["endpoint"]], pasted=pasted))

    def form(self, data: Any = None, *, initial: dict[str, str] | None = None) -> DoctorForm:
        form = DoctorForm(data, initial=initial)
        self.endpoints = {each.pk: each for each in endpoints_of(*self.portal.stored)}
        choices = [(pk, shortened(endpoint.url)) for pk, endpoint in self.endpoints.items()]
        form.fields["endpoint"].choices = choices  # type: ignore[attr-defined]
        return form

    def page(
        self, form: DoctorForm, diagnosis: Diagnosis | None = None, *, status: int = 200
    ) -> HttpResponse:
        shown = {"form": form, "diagnosis": diagnosis, "has_endpoints": bool(self.endpoints)}
        return self.render("portal/webhooks/doctor.html", shown, status=status)


def headers_of(text: str) -> dict[str, str]:
    """`name: value` lines, by name in small letters."""
    lines = (line.partition(":") for line in text.splitlines())
    return {name.strip(" \"'").lower(): value.strip(" \"',") for name, _, value in lines}
