/** Characters that a terminal interprets: C0 and C1 controls, line separators, and marks that change the text direction. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Untrusted text, such as a file name, as one line without control characters: `a\x1b[31m.hpl`. */
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
