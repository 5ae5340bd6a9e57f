/**
 * Converts a colour from the oklch space to `#rrggbb`, clipped to the sRGB gamut (Björn Ottosson's conversion). Viewers
 * of exported SVG files do not support `oklch()`. Lightness is 0 to 1, chroma 0 to about 0.3, hue in degrees.
 */
export function oklch(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s;
  return `#${[red, green, blue].map(channel).join('')}`;
}

function channel(linear: number): string {
  const clipped = Math.min(Math.max(linear, 0), 1);
  const encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, '0');
}

/** `share` of colour `b` and the rest of `a`, mixed in sRGB; both `#rrggbb`. */
export function mixed(a: string, b: string, share: number): string {
  let text = '#';
  for (let at = 1; at < 7; at += 2) {
    const from = parseInt(a.slice(at, at + 2), 16);
    const to = parseInt(b.slice(at, at + 2), 16);
    text += Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, '0');
  }
  return text;
}
