from django.contrib import admin
from django.urls import path

from apps.portal.staff.find import find_view

app_name = "staff"
urlpatterns = [
    path("find/", admin.site.admin_view(find_view), name="find"),
]
