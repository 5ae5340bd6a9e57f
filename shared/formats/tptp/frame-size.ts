import { LAST_ID, messageOfId } from '../../tptp/messages.ts';
import type { MessageReader } from './message-reader.ts';
import type { TraceEvent } from './trace-event.ts';

/** Id and size of a message. */
export const FRAME_BYTES = 6;
/** Where no message's size is exact, so many bytes are looked at. */
export const LOOKED_AT_BYTES = 1 << 14;

/** A run of messages that begins at `from`. */
interface Area {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly from: number;
  /** No more bytes will come. */
  readonly ended: boolean;
}

/**
 * Whether the sizes of a file count the six bytes of their frame; its document says both (specs: tptp, section 6). The
 * first message that is known and whose body ends where one of the two says decides. Where there is none, the way that
 * finds more known messages in the first bytes; undefined while there are not enough of them.
 */
export function sizesCountFrame(reader: MessageReader, event: TraceEvent, area: Area): boolean | undefined {
  const { bytes, view, from, ended } = area;
  const little = reader.littleEndian;
  if (bytes.length - from < FRAME_BYTES) return undefined;
  const message = messageOfId(view.getUint16(from, little));
  const size = view.getUint32(from + 2, little);
  const id = view.getUint16(from, little);
  if (message !== undefined) {
    const lengths = reader.exactLengths(event, message, bytes, view, from + FRAME_BYTES, bytes.length);
    if (lengths.includes(size - FRAME_BYTES)) return true;
    if (lengths.includes(size)) return false;
  } else if (id === 1) {
    // The encoding's name: a text.
    const end = bytes.indexOf(0, from + FRAME_BYTES);
    const length = end + 1 - from - FRAME_BYTES;
    if (end >= 0 && length === size - FRAME_BYTES) return true;
    if (end >= 0 && length === size) return false;
  } else if (id === 2) {
    if (size === FRAME_BYTES + 8) return true;
    if (size === 8) return false;
  }
  if (!ended && bytes.length - from < LOOKED_AT_BYTES) return undefined;
  return known(area, little, true) >= known(area, little, false);
}

/** Whether the messages from `from` on end exactly at `to`. */
export function framesEndAt(
  view: DataView,
  from: number,
  to: number,
  little: boolean,
  countsFrame: boolean,
): boolean {
  let at = from;
  while (at + FRAME_BYTES <= to) {
    const size = view.getUint32(at + 2, little);
    if (view.getUint16(at, little) > LAST_ID || (countsFrame && size < FRAME_BYTES)) return false;
    at += countsFrame ? size : size + FRAME_BYTES;
  }
  return at === to;
}

function known({ bytes, view, from }: Area, little: boolean, countsFrame: boolean): number {
  const end = Math.min(bytes.length, from + LOOKED_AT_BYTES);
  let count = 0;
  for (let at = from; at + FRAME_BYTES <= end;) {
    const id = view.getUint16(at, little);
    const size = view.getUint32(at + 2, little);
    if (id > LAST_ID || (countsFrame && size < FRAME_BYTES)) break;
    if (id === 1 || id === 2 || messageOfId(id) !== undefined) count++;
    at += countsFrame ? size : size + FRAME_BYTES;
  }
  return count;
}
