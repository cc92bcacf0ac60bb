"""The set-up of the authenticator app, whose button may be clicked twice."""

from typing import Any

from allauth.mfa.totp.views import ActivateTOTPView
from django.db import IntegrityError
from django.http import HttpResponse
from django.shortcuts import redirect


class SetUpView(ActivateTOTPView):  # type: ignore[misc]
    def form_valid(self, form: Any) -> HttpResponse:
        """Of two clicks at once the second finds the work of the first done, and leads where that one does."""
        try:
            response: HttpResponse = super().form_valid(form)
        except IntegrityError:
            return redirect("mfa_view_recovery_codes")
        return response
