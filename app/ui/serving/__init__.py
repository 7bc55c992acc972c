"""The server around the page: what a host sees of it, which headers it sends, how it ends."""

from app.ui.serving.admission import admit, disk_full, no_such_call
from app.ui.serving.closing import RefuseWhenClosing, wait_until_stopped
from app.ui.serving.headers import SecurityHeaders
from app.ui.serving.health import ROUTES

__all__ = ["ROUTES", "RefuseWhenClosing", "SecurityHeaders", "admit", "disk_full", "no_such_call", "wait_until_stopped"]
