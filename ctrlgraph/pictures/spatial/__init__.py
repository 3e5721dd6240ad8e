"""Pictures of spatial motions: filmstrips and films."""

VIEWS = ("three-quarter", "side", "front", "top", "behind")
"""Names of the views. From the side, the character's right side is seen, and it walks to the right."""
DEFAULT_VIEW = VIEWS[0]
