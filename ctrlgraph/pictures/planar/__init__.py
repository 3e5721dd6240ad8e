"""Pictures of planar motions: filmstrips (pictures with a row of figures) and films."""

__all__ = ["clip", "figure", "filmstrip", "filmstrip_layout", "key_poses", "video"]
