"""Adapters for the ports that keep something. They never import each other."""
