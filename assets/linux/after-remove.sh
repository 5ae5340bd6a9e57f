#!/bin/sh
# Runs after a .deb or .rpm was removed, and also when it was replaced by another version: then all stays. dpkg says so in
# a word; rpm gives the number of versions that are left, after the new one's script has run.
case "$1" in
  upgrade | failed-upgrade | abort-* | [1-9]*) exit 0 ;;
esac

rm -f '/usr/bin/${executable}'

profile='/etc/apparmor.d/${executable}'
if [ -f "$profile" ]; then
  if apparmor_status --enabled >/dev/null 2>&1 && ! ischroot 2>/dev/null; then
    apparmor_parser --remove "$profile"
  fi
  rm -f "$profile"
fi

exit 0
