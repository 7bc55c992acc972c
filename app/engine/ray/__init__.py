"""The engine's protocols on Ray Serve: `PLAYGROUND_ENGINE=ray`. Nothing outside this folder knows Ray."""
