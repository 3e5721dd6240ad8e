"""Characters in space: reader of their YAML files, roles, pairs of right and left, and digest."""
