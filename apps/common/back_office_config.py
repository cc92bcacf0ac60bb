"""Django's admin with our site in it."""

from django.contrib.admin.apps import AdminConfig


class BackOfficeConfig(AdminConfig):
    default_site = "apps.common.back_office_site.BackOfficeSite"
