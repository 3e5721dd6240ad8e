"""Pictures of spatial motions: filmstrips and films."""
