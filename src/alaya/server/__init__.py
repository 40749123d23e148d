"""Servers: edges that parse, call one verb and print."""
