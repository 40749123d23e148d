"""The default store: graph, words and vectors in one SQLite file, through APSW."""
