import { readSync } from 'node:fs';
import { detachRange } from '../../shared/aggregate/range-profile.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { ByteRanges } from '../../shared/formats/byte-ranges.ts';
import { NodeReserve } from '../../shared/aggregate/node-reserve.ts';
import { type RangeTask, PROGRESS_BYTES, type ReadRange } from './range-messages.ts';

/** Reads a range of a file; `buffers` are to be transferred with the message. */
export function readRange(
  { file, start, end, chosen, progress }: RangeTask,
  ranges: ByteRanges,
): { readonly message: ReadRange; readonly buffers: readonly ArrayBuffer[] } {
  const aggregator = new ProfileAggregator();
  const reserve = new NodeReserve(aggregator);
  const decoder = ranges.createDecoder(aggregator, chosen, start);
  const buffer = new Uint8Array(PROGRESS_BYTES);
  let offset = start;
  while (offset < end) {
    const length = readSync(file, buffer, 0, Math.min(buffer.length, end - offset), offset);
    if (length === 0) break;
    decoder.append(buffer.subarray(0, length));
    offset += length;
    progress[0] = (offset - start) / PROGRESS_BYTES;
    reserve.note(offset - start, end - start);
  }
  const { range, buffers } = detachRange(aggregator);
  const handed = decoder.detach();
  return { message: { state: handed.state, range, end: offset }, buffers: [...buffers, ...handed.buffers] };
}
