import { readSync } from 'node:fs';
import { detachPart } from '../../shared/aggregate/profile-part.ts';
import { ProfileAggregator } from '../../shared/aggregate/profile-aggregator.ts';
import type { FormatParts } from '../../shared/formats/format-parts.ts';
import { NodeReserve } from '../../shared/aggregate/node-reserve.ts';
import { type PartTask, PROGRESS_BYTES, type ReadPart } from './part-messages.ts';

/** Reads a part of a file; `buffers` are to be transferred with the message. */
export function readPart(
  { file, start, end, chosen, progress }: PartTask,
  parts: FormatParts,
): { readonly message: ReadPart; readonly buffers: readonly ArrayBuffer[] } {
  const aggregator = new ProfileAggregator();
  const reserve = new NodeReserve(aggregator);
  const decoder = parts.createDecoder(aggregator, chosen, start);
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
  const { part, buffers } = detachPart(aggregator);
  const handed = decoder.handOver();
  return { message: { state: handed.state, part, end: offset }, buffers: [...buffers, ...handed.buffers] };
}
