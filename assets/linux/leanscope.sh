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

# Switches of Chromium may stand before a command. Behind a file or an option of the window there is no command.
sandbox=yes
start=yes
for argument; do
  case $argument in
    --) break ;;
    --help | -h | --version) run "$@" ;;
    --no-sandbox) sandbox=no ;;
    serve | export | summary | convert-trace | jvms | record | attach | agent | compare)
      [ $start = yes ] && run "$@"
      ;;
    --source | --source=* | --editor | --editor=* | --port | --port=* | --no-open | --follow) start=no ;;
    -?*) ;;
    *) start=no ;;
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

# The server has options of the window, and files, but no switches of Chromium.
left=$#
kind=option
while [ "$left" -gt 0 ]; do
  argument=$1
  shift
  left=$((left - 1))
  case $kind$argument in
    option--) kind=file ;;
    option--source | option--editor | option--port) kind=value ;;
    option--source=* | option--editor=* | option--port=* | option--no-open | option--follow | option-) ;;
    option-*) continue ;;
    value*) kind=option ;;
  esac
  set -- "$@" "$argument"
done
run serve "$@"
