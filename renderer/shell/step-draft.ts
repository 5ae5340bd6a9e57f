/**
 * The prefixes in a text, one on each line. A star may be written at the end; those of the step that is edited stay as they
 * are, whatever is in them.
 */
export function prefixesIn(text: string, edited: readonly string[]): readonly string[] {
  const written = text
    .split('\n')
    .map((line) => (edited.includes(line) ? line : line.trim().replace(/\*$/, '')));
  return [...new Set(written)].filter((prefix) => prefix !== '');
}
