/**
 * Receives the pieces of a binary export in order, and may keep them. `share`: how much of the export is written with
 * this piece, 0 to 1.
 */
export type ByteSink = (bytes: Uint8Array, share: number) => void;

/** Receives text or bytes, so it can be used as a TextSink and as a ByteSink. Text becomes UTF-8. */
export type OutputSink = (piece: string | Uint8Array, share: number) => void;

/** Collects a complete export; for panes and tests. */
export function collectBytes(write: (sink: ByteSink) => void): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  write((bytes) => {
    pieces.push(bytes);
    length += bytes.length;
  });
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
