/** Relative luminance of `#rrggbb` or `rgb(r, g, b)` as WCAG 2 defines it. */
export function luminance(colour: string): number {
  const bytes = colour.startsWith('#')
    ? [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16))
    : Array.from(colour.matchAll(/[\d.]+/g), ([digits]) => Number(digits)).slice(0, 3);
  const [red, green, blue] = bytes.map((byte) => {
    const value = byte / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [less, more] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}
