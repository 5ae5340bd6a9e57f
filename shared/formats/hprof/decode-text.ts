import { decodeModifiedUtf8 } from '../../text/modified-utf8.ts';

/**
 * Bytes of whatever charset the writer's platform had: UTF-8, in the JVM's form or the ordinary one, or else Latin-1
 * (specs: hprof, section 3).
 */
export function decodeText(bytes: Uint8Array): string {
  const text = decodeModifiedUtf8(bytes, 0, bytes.length);
  if (!text.includes('\ufffd')) return text;
  let latin = '';
  for (const byte of bytes) latin += String.fromCharCode(byte);
  return latin;
}
