from django.apps import AppConfig


class FlightsConfig(AppConfig):
    name = "apps.flights"
