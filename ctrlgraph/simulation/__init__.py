"""Simulations: a character on a terrain runs controllers, one after another."""
