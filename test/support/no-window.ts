/** Why no window opens on this machine where Electron's runtime is missing, too. */
export function noWindowReason(env: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'linux') {
    if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no display';
    if (process.getuid?.() === 0) return 'Electron does not run as root';
  }
  return "Electron's runtime is not installed";
}
