"""Mounted at /docs/, beside the pages that link here."""

from django.urls import path

from apps.docs.collection import views

app_name = "collection"
urlpatterns = [
    path("collection.postman.json", views.postman_collection, name="postman"),
    path("environment.postman.json", views.postman_environment, name="postman-environment"),
    path("collection.bruno.zip", views.bruno_collection, name="bruno"),
    path("workflows.arazzo.json", views.arazzo_workflows, name="workflows"),
]
