"""The page Security: password, authenticator app, passkeys, recovery codes and sessions of the person."""

from typing import Any

from allauth.mfa.base.views import IndexView
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse_lazy

from apps.portal.sign_in.passkeys import are_possible


class SecurityView(IndexView):  # type: ignore[misc]
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        sessions = UserSession.objects.purge_and_list(self.request.user)
        sessions.sort(key=lambda session: (not session.is_current(), -session.created_at.timestamp()))
        shown = {"sessions": sessions, "passkeys_are_possible": are_possible(self.request)}
        context: dict[str, Any] = super().get_context_data(**kwargs, **shown)
        return context


class SessionsView(ListUserSessionsView):  # type: ignore[misc]
    """A POST logs out the session that it names; without a name, all but this one."""

    success_url = reverse_lazy("mfa_index")

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return redirect("mfa_index")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        chosen = request.POST.get("session", "")
        if not chosen:
            response: HttpResponse = super().post(request, *args, **kwargs)
            return response
        for session in UserSession.objects.filter(user=request.user):
            if str(session.pk) == chosen and not session.is_current():
                session.end()
                messages.success(request, "The session was logged out.")
        return redirect(self.success_url)
