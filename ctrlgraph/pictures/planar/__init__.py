"""Pictures of planar motions: filmstrips and films. They read the planar arrays of a trace."""

__all__ = ["clip", "figure", "filmstrip", "filmstrip_layout", "key_poses", "video"]
