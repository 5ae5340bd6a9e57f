import { utf16Order } from '../read/utf16.ts';

/** The text of an input, or of its beginning, in UTF-8 or UTF-16; without its byte order mark. */
export function decodedText(bytes: Uint8Array): string {
  const order = utf16Order(bytes);
  return new TextDecoder(order === undefined ? 'utf-8' : `utf-16${order}`).decode(bytes);
}

/** Whether a text has control characters that texts do not have. Escape sequences of a terminal's colours are text. */
export function hasControls(text: string): boolean {
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/.test(text);
}
