"""Options that commands share, and their types."""
