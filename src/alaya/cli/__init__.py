"""The command line: parse, call one verb of Memory, print. `alaya --help` imports none of alaya."""
