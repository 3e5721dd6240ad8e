"""What may be wrong with a script beyond its syntax, all of it at once."""
