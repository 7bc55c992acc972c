#!/usr/bin/env bash
# The browser tests need Chromium: install Debian's where there is none and we may, else say what is missing.
set -u
for name in chromium chromium-browser google-chrome; do
  command -v "$name" >/dev/null && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Chromium for the browser tests ..."
  if apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium fonts-noto-cjk >/dev/null; then
    exit 0
  fi
fi
echo "Chromium is missing, so the browser tests are skipped (on Debian: apt-get install chromium)." >&2
exit 0
