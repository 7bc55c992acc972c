"""PLM Playground: `python app.py` opens all tabs; with `--prepare` it does beforehand what visitors would wait for."""

import sys

import demos
from app import prepare
from app.ui.shell import answer_examples, discover, playground, serve

if __name__ == "__main__":
    if sys.argv[1:] == ["--prepare"]:
        failed = prepare.main()
        answer_examples(playground(discover(demos)))
        sys.exit(failed)
    serve(playground(discover(demos)))
