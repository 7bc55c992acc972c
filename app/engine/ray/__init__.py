"""The engine's protocols on Ray Serve: `PLAYGROUND_ENGINE=ray`. Nothing outside this folder knows Ray."""

import os

# A question goes to its replica by gRPC, and not as a call of an actor, whose arguments and answers go into Ray's store
# of objects: half the time on the way. Ray Serve reads this when it is imported.
os.environ.setdefault("RAY_SERVE_USE_GRPC_BY_DEFAULT", "1")
