import { afterEach, expect, test, vi } from 'vitest';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { TPTP_XML } from '../../../shared/formats/tptp/format.ts';

afterEach(() => void vi.restoreAllMocks());

/** Reads a trace in pieces, with a rest after each. */
function readInPieces(text: string, pieceBytes: number, aggregator = new ProfileAggregator()): void {
  const decoder = TPTP_XML.createDecoder(aggregator, {});
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    decoder.append(bytes.subarray(at, at + pieceBytes));
    decoder.emitOpen(false);
  }
}

test('open calls are ended provisionally after events, not after each piece of one', () => {
  const entry = '<methodEntry threadIdRef="1" methodIdRef="7" time="1.5"/>';
  const endedInPiecesOf = (pieceBytes: number): number => {
    const aggregator = new ProfileAggregator();
    const ended = vi.spyOn(aggregator, 'provisionalSampleAt');
    readInPieces(entry.repeat(40), pieceBytes, aggregator);
    return ended.mock.calls.length;
  };
  const inWholeEvents = endedInPiecesOf(entry.length);
  expect(inWholeEvents).toBe((40 * 41) / 2);
  expect(endedInPiecesOf(1)).toBe(inWholeEvents);
});

test.each([
  ['a comment', '<!-- ', '<a> '],
  ['a section', '<![CDATA[ ', '<a> '],
  ['the text of a custom event', '<custom> ', '</a> '],
  ['the end of a custom event', '<custom></custom', '   '],
])('%s that does not end is searched once, however small the pieces are', (_, begin, more) => {
  let searched = 0;
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as { indexOf: Uint8Array['indexOf'] };
  const { indexOf } = typedArray;
  vi.spyOn(typedArray, 'indexOf').mockImplementation(function (this: Uint8Array, value, from = 0) {
    const found = indexOf.call(this, value, from);
    searched += (found < 0 ? this.length : found + 1) - Math.min(from, this.length);
    return found;
  });
  const text = begin + more.repeat(500);
  readInPieces(text, 1);
  // Each byte is looked at for the beginnings and for the ends of tags, and the last ones of a piece again.
  expect(searched).toBeLessThan(20 * text.length);
});
