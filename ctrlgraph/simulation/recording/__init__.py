"""Recording: the states that a simulation keeps while it runs, as traces that measures and pictures read."""

__all__ = ["base_trace", "phases", "planar_samples", "planar_trace", "recorder", "spatial_samples", "spatial_trace"]
