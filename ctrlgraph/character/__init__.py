"""Characters: links, joints, contact shapes and limits, read from YAML files and MuJoCo models."""

__all__ = [
    "aliases",
    "convex_hull",
    "digest",
    "files",
    "mjcf",
    "model",
    "paths",
    "roles",
    "scaling",
    "schema",
    "yaml_reader",
]
