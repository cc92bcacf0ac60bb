from django.urls import path

from apps.portal.call_outcomes.views import CallOutcomesView

urlpatterns = [path("", CallOutcomesView.as_view(), name="call_outcomes")]
