"""Fitting of tracking files to recorded motions."""
