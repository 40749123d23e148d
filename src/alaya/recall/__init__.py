"""Question to evidence: plan, arms, fusion, the walk over the graph, and the answer."""
