import { decodeModifiedUtf8 } from '../../text/modified-utf8.ts';

/**
 * Decodes text in the charset of the writer's platform, which the file does not name: UTF-8, modified or not, or else
 * Latin-1 (specs: hprof, section 3).
 */
export function decodeText(bytes: Uint8Array): string {
  const text = decodeModifiedUtf8(bytes, 0, bytes.length);
  if (!text.includes('\ufffd')) return text;
  let latin = '';
  for (const byte of bytes) latin += String.fromCharCode(byte);
  return latin;
}
