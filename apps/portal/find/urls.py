from django.urls import path

from apps.portal.find.views import FindView

urlpatterns = [path("", FindView.as_view(), name="find")]
