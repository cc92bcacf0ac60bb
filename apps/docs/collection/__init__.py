"""What partners play: the recorded journey as collections for Postman and Bruno, and workflows in Arazzo."""
