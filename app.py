"""PLM Playground: `python app.py` opens all tabs."""

import demos
from app.ui.shell import discover, launch, playground

if __name__ == "__main__":
    launch(playground(discover(demos))).block_thread()
