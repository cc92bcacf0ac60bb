from django.urls import path

from apps.portal.views.production_access import ProductionAccess

urlpatterns = [
    path("", ProductionAccess.as_view(), name="production_access"),
]
