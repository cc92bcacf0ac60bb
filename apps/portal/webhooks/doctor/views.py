"""The signature doctor: paste what arrived, read what is wrong with it. Nothing of it is stored, logged or reported."""

from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_post_parameters

from apps.portal.base_view import PortalView
from apps.portal.context import DEVELOPERS
from apps.portal.webhooks.doctor.forms import DoctorForm
from apps.webhooks.doctor.diagnosis import Diagnosis
from apps.webhooks.selectors import endpoints_of
from apps.webhooks.services.consult_doctor import consult_doctor


@method_decorator(sensitive_post_parameters("headers", "body", "computed"), name="dispatch")
class DoctorView(PortalView):
    section = "webhooks"
    allowed_roles = DEVELOPERS

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.page(self.form(initial=request.GET.get("endpoint", "")))

    def post(self, request: HttpRequest) -> HttpResponse:
        form = self.form(request.POST)
        if not form.is_valid():
            return self.page(form, status=400)
        return self.page(form, consult_doctor(endpoint=form.chosen_endpoint(), pasted=form.pasted()))

    def form(self, data: object = None, *, initial: str = "") -> DoctorForm:
        endpoints = list(endpoints_of(self.portal.account_id, self.portal.environment))
        return DoctorForm(data, endpoints=endpoints, initial={"endpoint": initial})

    def page(
        self, form: DoctorForm, diagnosis: Diagnosis | None = None, *, status: int = 200
    ) -> HttpResponse:
        faults = [each for each in diagnosis.findings if each.is_fault] if diagnosis else []
        shown = {
            "form": form,
            "has_endpoints": bool(form.fields["endpoint"].choices),  # type: ignore[attr-defined]
            "diagnosis": diagnosis,
            "faults": faults,
            "notes": [each for each in diagnosis.findings if not each.is_fault] if diagnosis else [],
        }
        return self.render("portal/webhooks/doctor/index.html", shown, status=status)
