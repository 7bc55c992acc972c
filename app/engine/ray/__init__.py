"""The engine's protocols, answered by Ray Serve: `PLAYGROUND_ENGINE=ray`. Nothing outside this folder knows Ray."""
