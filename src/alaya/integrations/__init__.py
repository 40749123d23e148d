"""alaya inside other programs: what is installed into the configuration of agents."""
