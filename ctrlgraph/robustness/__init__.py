"""How much a controller, an edge or a walkthrough can take: perturbations, trials, sweeps, limits, basins."""
