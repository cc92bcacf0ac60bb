"""In whose name documents are handed out: the texts, the logo, and a sample that shows both."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.functional import cached_property

from apps.accounts import logos
from apps.accounts.branding import TEXTS, branding_of, change_branding, set_logo
from apps.accounts.models import Branding
from apps.common.errors import RateLimitExceeded
from apps.documents.faces import without_face
from apps.documents.html import html, policy
from apps.documents.making import seller_of
from apps.documents.pdf import pdf
from apps.documents.sample import sample_voucher
from apps.portal.base import PortalView
from apps.portal.forms import FormView

TOO_LARGE = "too-large"
"""`?logo=` where the proxy in front refused a file."""


class BrandingForm(forms.Form):
    name = forms.CharField(label="Name", required=False, help_text="Empty: the name of your account.")
    address = forms.CharField(
        label="Postal address", required=False, widget=forms.Textarea(attrs={"dir": "auto"})
    )
    phone = forms.CharField(label="Phone", required=False, widget=forms.TextInput(attrs={"type": "tel"}))
    emergency_phone = forms.CharField(
        label="Emergency phone",
        required=False,
        widget=forms.TextInput(attrs={"type": "tel"}),
        help_text="For travellers, on vouchers and itineraries. Include the country’s code.",
    )
    email = forms.CharField(
        label="E-mail address", required=False, widget=forms.TextInput(attrs={"type": "email"})
    )
    website = forms.CharField(
        label="Website",
        required=False,
        widget=forms.TextInput(attrs={"type": "url", "placeholder": "https://"}),
    )


class LogoForm(forms.Form):
    logo = forms.FileField(
        label="Logo file",
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        help_text=(
            f"PNG, JPEG or WebP, at most {logos.MOST_BYTES // 1024**2} MiB. It is scaled to fit "
            f"{logos.WIDEST} × {logos.HIGHEST} pixels, and printed on white."
        ),
    )

    def clean_logo(self) -> bytes:
        file: UploadedFile[Any] = self.cleaned_data["logo"]
        try:
            if (file.size or 0) > logos.MOST_BYTES:
                raise logos.too_large()
            return logos.as_logo(file.read())
        except logos.NoLogo as refusal:
            raise forms.ValidationError(str(refusal)) from None


class BrandingView(FormView):
    section = "branding"
    account_wide = True
    template, form_class = "portal/branding/index.html", BrandingForm

    @cached_property
    def branding(self) -> Branding:
        return branding_of(self.portal.account)

    def initial(self) -> dict[str, Any]:
        return {name: getattr(self.branding, name) for name in TEXTS}

    def save(self, form: Any) -> HttpResponse:
        found = change_branding(account=self.portal.account, actor=self.actor, texts=form.cleaned_data)
        messages.success(self.request, "Saved. Documents that are made from now on show it.")
        missing = without_face(f"{found.name}{found.address}")
        if missing:
            messages.warning(
                self.request, f"PDFs have no letters for {' '.join(missing)} and show boxes instead."
            )
        return redirect("portal:branding")

    def extra_context(self) -> dict[str, Any]:
        return {
            "branding": self.branding,
            "logo_form": LogoForm(),
            "most": str(logos.MOST_BYTES // 1024**2),
            "was_too_large": self.request.GET.get("logo") == TOO_LARGE,
        }


class LogoView(BrandingView):
    """Takes the logo. Its form is on the page of the texts."""

    def get(self, request: HttpRequest) -> HttpResponse:
        return redirect("portal:branding")

    def form(self, data: Any = None) -> forms.Form:
        return LogoForm(data, self.request.FILES)

    def save(self, form: Any) -> HttpResponse:
        set_logo(account=self.portal.account, actor=self.actor, logo=form.cleaned_data["logo"])
        messages.success(self.request, "Saved. Documents that are made from now on show the logo.")
        return redirect("portal:branding")

    def page(self, form: forms.Form, *, status: int = 200) -> HttpResponse:
        texts = BrandingForm(initial=self.initial())
        context = {**self.extra_context(), "form": form, "texts_form": texts, "logo_form": form}
        return self.render(self.template, context, status=status)


class LogoFileView(PortalView):
    section = "branding"
    account_wide = True

    def get(self, request: HttpRequest) -> HttpResponse:
        logo = branding_of(self.portal.account).logo
        if not logo:
            raise Http404
        return HttpResponse(bytes(logo), content_type="image/png")


class LogoRemoveView(PortalView):
    section = "branding"
    account_wide = True

    def get(self, request: HttpRequest) -> HttpResponse:
        return redirect("portal:branding")

    def post(self, request: HttpRequest) -> HttpResponse:
        if set_logo(account=self.portal.account, actor=self.actor, logo=None):
            messages.success(request, "The logo is removed. Documents show the name instead.")
        return redirect("portal:branding")


class SampleHtmlView(PortalView):
    section = "branding"
    account_wide = True

    def get(self, request: HttpRequest) -> HttpResponseBase:
        response = HttpResponse(html(sample_voucher(seller_of(self.portal.account))))
        response["Content-Security-Policy"] = policy()
        return response


class SamplePdfView(PortalView):
    section = "branding"
    account_wide = True

    def get(self, request: HttpRequest) -> HttpResponseBase:
        document = sample_voucher(seller_of(self.portal.account))
        try:
            content = pdf(document)
        except RateLimitExceeded as refusal:
            messages.error(request, refusal.message)
            return redirect("portal:branding")
        response = HttpResponse(content, content_type="application/pdf")
        response["Content-Disposition"] = f'inline; filename="{document.name}.pdf"'
        # Browsers show a PDF by a page of their own, which the policy of ours would leave without its parts.
        response["Content-Security-Policy"] = "frame-ancestors 'none'"
        return response
