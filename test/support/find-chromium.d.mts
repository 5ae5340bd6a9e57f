/** The path of an installed Chromium or Chrome; CHROME_PATH goes first. */
export function findChromium(): string | undefined;
/** The path of an installed headless shell, which runs pages as Chromium does at less cost; CHROME_PATH goes first. */
export function findHeadlessShell(): string | undefined;
