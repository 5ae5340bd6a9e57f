#!/bin/sh
# The `leanscope` command of the packaged program for Linux; packaged as bin/leanscope.
#
# Electron sets up a sandbox and connects to the display before it runs anything. A command opens no page: it is run
# without both, so that it works over ssh, as root and in containers. Without a command the window opens; where it cannot,
# the files are served to the browser.

program=$(dirname "$(dirname "$(readlink -f "$0")")")/leanscope

run() {
  exec "$program" --no-sandbox --ozone-platform=headless --disable-gpu "$@"
}

sandbox=yes
for argument; do
  case $argument in
    serve | export | summary | convert-trace | jvms | record | attach | agent | compare | --help | -h | --version) run "$@" ;;
    --no-sandbox) sandbox=no ;;
    --) break ;;
    -?*) ;; # another switch of Chromium
    *) break ;;
  esac
done

reason=
if [ -z "${DISPLAY-}${WAYLAND_DISPLAY-}" ]; then
  reason='there is no display'
elif [ "$sandbox" = yes ] && [ "$(id -u)" = 0 ]; then
  reason='Electron does not run as root'
fi
[ -z "$reason" ] && exec "$program" "$@"
echo "leanscope: the window cannot be opened: $reason; serving it to the browser instead" >&2
run serve "$@"
