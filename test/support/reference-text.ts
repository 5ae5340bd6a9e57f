/**
 * A decoded string as the reference has it: it never decodes, each byte ≥ 0x80 of the log became a char U+FF80…FFFF
 * by sign extension (specs: Honest Profiler LogParser.readString).
 */
export function asReferenceText(text: string): string {
  let reference = '';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0 && code < 0x80) reference += text[at];
    else for (const byte of modifiedUtf8(code)) reference += String.fromCharCode(0xff00 | byte);
  }
  return reference;
}

/** One UTF-16 unit; halves of a surrogate pair are encoded each for itself. */
function modifiedUtf8(code: number): number[] {
  return code < 0x800
    ? [0xc0 | (code >> 6), 0x80 | (code & 0x3f)]
    : [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
}

/**
 * The lines of a `tree` text with the reference's strings, which have a TAB as it is, in the order that these have. Only threads have names
 * beyond ASCII in the recorded logs, so only roots can change places.
 */
export function asReferenceTree(text: string): string[] {
  const roots: string[][] = [];
  for (const line of asReferenceText(text.replaceAll('\\x09', '\t')).split(/(?<=\n)/)) {
    if (line.startsWith('0\t')) roots.push([line]);
    else roots.at(-1)?.push(line);
  }
  const key = (lines: string[]): string => lines[0].split('\t').slice(1, -4).join('\t');
  roots.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return roots.flat();
}
