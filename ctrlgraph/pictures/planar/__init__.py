"""Pictures of planar motions: filmstrips (pictures with rows of figures) and films (videos)."""

__all__ = ["clip", "figure", "filmstrip", "video"]
