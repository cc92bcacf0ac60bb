from django.apps import AppConfig


class DocsConfig(AppConfig):
    name = "apps.docs"
