#!/usr/bin/env bash
# environment.sh PYTHON VENV REQUIREMENTS: make the virtual environment if need be and install what the file names.
set -u
python=$1 venv=$2 requirements=$3
say() { printf '%s\n' "$*" >&2; }

if ! command -v "$python" >/dev/null; then
  say "Python is missing: install Python 3.11 or newer, or name one with 'make PYTHON=/path/to/python3 ...'."
  exit 1
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  say "$("$python" --version) is too old: Python 3.11 or newer is needed ('make PYTHON=python3.11 ...')."
  exit 1
fi
if [ ! -x "$venv/bin/python" ]; then
  if ! "$python" -m venv "$venv"; then
    say "The virtual environment could not be made; on Debian and Ubuntu 'apt-get install python3-venv' brings what it needs."
    exit 1
  fi
fi
echo "Installing what $requirements names (the first time takes some minutes) ..."
if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements"; then
  say "The packages of $requirements could not be installed: is the package index reachable, and is there disk space (about 3 GB)?"
  exit 1
fi
