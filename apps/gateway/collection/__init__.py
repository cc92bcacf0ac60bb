"""Collections for Postman and Bruno: the recorded journey as requests that anybody can send, one after the other."""
