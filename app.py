"""PLM Playground: `python app.py` opens all tabs."""

import demos
from app.ui.shell import discover, playground, serve

if __name__ == "__main__":
    serve(playground(discover(demos)))
