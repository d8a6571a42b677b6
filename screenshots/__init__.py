"""The pictures of the screens, still and moving. `make screenshots` makes them."""
