"""Measuring alaya from outside, through its public verbs."""
