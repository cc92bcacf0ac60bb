"""What each product says of its bookings."""
