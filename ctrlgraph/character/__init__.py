"""Characters: links, joints, contact shapes and limits, from YAML files and MuJoCo models."""
