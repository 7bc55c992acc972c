"""The server around the page: what a host sees of it, which headers it sends, how its pages leave, how it ends."""

from app.ui.serving import health, link_preview, scripts
from app.ui.serving.admission import admit, disk_full, no_such_call, refused
from app.ui.serving.closing import RefuseWhenClosing, wait_until_stopped
from app.ui.serving.headers import SecurityHeaders
from app.ui.serving.page_language import PageLanguage
from app.ui.serving.tab_addresses import TabAddresses
from app.ui.serving.visit_cookie import VisitCookie

ROUTES = [*health.ROUTES, *scripts.ROUTES, *link_preview.ROUTES]

__all__ = [
    "ROUTES",
    "PageLanguage",
    "RefuseWhenClosing",
    "SecurityHeaders",
    "TabAddresses",
    "VisitCookie",
    "admit",
    "disk_full",
    "no_such_call",
    "refused",
    "wait_until_stopped",
]
