"""alaya: a long-term memory for AI agents.

What was said is kept word for word; cards, links, words and vectors are projections of it that
can be thrown away and grown again.
"""

__version__ = "0.1.0"
