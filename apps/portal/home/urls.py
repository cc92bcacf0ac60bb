from django.urls import path

from apps.portal.home.views import HomeView

urlpatterns = [
    path("", HomeView.as_view(), name="home"),
]
