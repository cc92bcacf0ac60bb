"""The recorded journey as a Postman collection."""
