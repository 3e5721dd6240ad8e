"""Learning: constants under which controllers and the transitions between them do what they should."""
