"""The test environment's own controls. Each is a part of the page: its template is included in `index.html`."""

from django.http import HttpRequest, HttpResponse

from apps.portal.sandbox.faults_views import shown_faults
from apps.portal.sandbox.manage_views import manage_context
from apps.portal.sandbox.page import SandboxPage


class SandboxView(SandboxPage):
    def get(self, request: HttpRequest) -> HttpResponse:
        return self.render(
            "portal/sandbox/index.html", {**manage_context(self.portal), "faults": shown_faults(self.portal)}
        )
