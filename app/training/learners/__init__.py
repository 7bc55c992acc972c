"""Things that learn from labelled rows and then answer: one protocol, one file per way of learning."""
