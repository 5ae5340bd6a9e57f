/** The path of an installed Chromium or Chrome; CHROME_PATH goes first. */
export function findChromium(): string | undefined;
