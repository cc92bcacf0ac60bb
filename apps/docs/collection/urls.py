"""Mounted at /docs/, beside the pages that link here."""

from django.urls import path

from apps.docs.collection import views

app_name = "collection"
urlpatterns = [
    path("collection.postman.json", views.postman_collection, name="postman"),
    path("environment.postman.json", views.postman_environment, name="postman-environment"),
]
