from django.urls import path

from apps.portal.views.home import Home

urlpatterns = [
    path("", Home.as_view(), name="home"),
]
