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
    --help | -h | --version | -V | -v) run "$@" ;;
    --no-sandbox) sandbox=no ;;
    serve | top | tree | method | timeline | operations | spread | export | summary | findings | mcp | guide | convert-trace | scrub | completion | push | jvms | record | attach | agent | compare | help | version)
      [ $start = yes ] && run "$@"
      ;;
    --source | --source=* | --editor | --editor=* | --port | --port=* | --no-open | --follow | --wait) start=no ;;
    --where | --where=* | --per | --per=* | --sql | --sql=* | --order | --order=*) start=no ;;
    -?*) ;;
    *[./]* | '') start=no ;;
    *)
      # Probably a mistyped command, which is said without a window.
      [ $start = yes ] && [ "$argument" != - ] && [ ! -e "$argument" ] && run "$@"
      start=no
      ;;
  esac
done

reason=
if [ -z "${DISPLAY-}${WAYLAND_DISPLAY-}" ]; then
  reason='there is no display'
elif [ "$sandbox" = yes ] && [ "$(id -u)" = 0 ]; then
  reason='Electron does not run as root'
fi
[ -z "$reason" ] && exec "$program" "$@"

# The server has options of the window, and files, but no switches of Chromium.
wait=no
for argument; do
  case $argument in
    --) break ;;
    --wait) wait=yes ;;
  esac
done
file() {
  [ $wait = yes ] || [ "$1" = - ] || [ -e "$1" ] && return
  echo "leanscope: $1: does not exist; check the path, or wait for it with --wait" >&2
  exit 1
}
left=$#
kind=option
while [ "$left" -gt 0 ]; do
  argument=$1
  shift
  left=$((left - 1))
  case $kind$argument in
    option--) kind=file ;;
    option--source | option--editor | option--port) kind=value ;;
    option--where | option--per | option--sql | option--order) kind=value ;;
    option--where=* | option--per=* | option--sql=* | option--order=*) ;;
    option--source=* | option--editor=* | option--port=* | option--no-open | option--follow | option--wait | option-) ;;
    option-*) continue ;;
    value*) kind=option ;;
    *) file "$argument" ;;
  esac
  set -- "$@" "$argument"
done
echo "leanscope: the window cannot be opened: $reason; serving it to the browser instead" >&2
run serve "$@"
