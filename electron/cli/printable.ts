/** C0 and C1 controls, line separators, and the marks that reorder text: what a terminal obeys instead of showing. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A file name, or anything else from outside, as one harmless line: `a\x1b[31m.hpl`. */
export function printable(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** A name for messages: `-` is standard input. */
export function inputName(path: string): string {
  return path === '-' ? 'standard input' : printable(path);
}
