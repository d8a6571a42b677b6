"""The widgets of the screens; each draws one region."""
