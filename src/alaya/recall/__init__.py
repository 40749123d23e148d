"""Question to evidence: plan, arms, ranking, the walk over the graph, and the answer."""
