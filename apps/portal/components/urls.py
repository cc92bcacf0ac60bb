from django.urls import path

from apps.portal.components.views import ComponentsView

urlpatterns = [
    path("", ComponentsView.as_view(), name="components"),
]
