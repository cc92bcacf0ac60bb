from django.contrib import admin
from django.urls import path

from apps.portal.staff.find import find_view
from apps.portal.staff.mails import mails_view
from apps.portal.staff.suppliers import suppliers_view
from apps.portal.staff.visit import begin_view, leave_view
from apps.portal.staff.withheld import withheld_view

app_name = "staff"
urlpatterns = [
    path("find/", admin.site.admin_view(find_view), name="find"),
    path("mails/", admin.site.admin_view(mails_view), name="mails"),
    path("supplier-overview/", admin.site.admin_view(suppliers_view), name="suppliers"),
    path("withheld/", admin.site.admin_view(withheld_view), name="withheld"),
    path("read-portal/leave/", admin.site.admin_view(leave_view), name="leave"),
    path("read-portal/<str:account_id>/", admin.site.admin_view(begin_view), name="read_portal"),
]
