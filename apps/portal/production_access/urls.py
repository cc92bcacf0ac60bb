from django.urls import path

from apps.portal.production_access.views import ProductionAccessView

urlpatterns = [
    path("", ProductionAccessView.as_view(), name="production_access"),
]
