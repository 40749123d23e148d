"""L3 on the file system: sessions, journal, drafts, recall log, parked input and state."""
