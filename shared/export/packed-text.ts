import { zlibSync } from 'fflate';
import { packPage, type PageLog, type PageTexts } from '../page/packed-page.ts';

interface PackedContent {
  readonly logs: readonly PageLog[];
  readonly texts: PageTexts;
}

/** The packed content in base64, in pieces for a sink. */
export function* packedText({ logs, texts }: PackedContent): Generator<string> {
  const bytes = zlibSync(packPage(texts, logs), { level: 9 });
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield base64(bytes.subarray(at, at + PIECE_BYTES));
}

/** A multiple of three, so that only the last piece is padded. */
const PIECE_BYTES = 3 << 14;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const word = (bytes[at] << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (let shift = 18; shift >= 0; shift -= 6) text += DIGITS[(word >>> shift) & 63];
  }
  const missing = (3 - (bytes.length % 3)) % 3;
  return missing === 0 ? text : text.slice(0, -missing) + '='.repeat(missing);
}
