#!/bin/sh
# Runs after a .deb or .rpm was installed. electron-builder's own script would make the program itself the command, which
# needs a display; the rest is what that script does. electron-builder fills in names in braces.

program='/opt/${sanitizedProductName}'

ln -sf "$program/bin/leanscope" '/usr/bin/${executable}'

# Chromium's sandbox needs user namespaces, or else this helper as root.
if [ -L /proc/self/ns/user ] && unshare --user true; then
  chmod 0755 "$program/chrome-sandbox"
else
  chmod 4755 "$program/chrome-sandbox"
fi

if command -v update-mime-database >/dev/null; then
  update-mime-database /usr/share/mime
fi
if command -v update-desktop-database >/dev/null; then
  update-desktop-database /usr/share/applications
fi

# Ubuntu 24.04 and later grant user namespaces only to programs with a profile. Older versions of AppArmor cannot read the
# profile and do not need it.
profile="$program/resources/apparmor-profile"
if apparmor_status --enabled >/dev/null 2>&1 &&
  apparmor_parser --skip-kernel-load --debug "$profile" >/dev/null 2>&1; then
  cp -f "$profile" '/etc/apparmor.d/${executable}'
  # In a chroot, such as the build of a system's image, the profile is loaded when the system starts.
  if ! ischroot 2>/dev/null; then
    apparmor_parser --replace --write-cache --skip-read-cache '/etc/apparmor.d/${executable}'
  fi
fi

exit 0
