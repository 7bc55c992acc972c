"""Things that learn from labelled rows and then answer: one protocol, a file for each way of learning."""
