import { MAX_MESSAGE_ID, messageOfId } from '../../tptp/messages.ts';
import type { MessageReader } from './message-reader.ts';
import type { TraceEvent } from './trace-event.ts';

/** Id and size of a message, before its body. */
export const MESSAGE_HEADER_BYTES = 6;
/** Number of bytes in which known messages are counted if the size of the first one does not decide. */
export const EXAMINED_BYTES = 1 << 14;

/** Bytes of consecutive messages; the first begins at `from`. */
interface MessageBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly from: number;
  /** No more bytes will come. */
  readonly ended: boolean;
}

/**
 * Whether the sizes of messages include their header of six bytes; the format's document says both (specs: tptp,
 * section 6). The first message decides, if it is known and its body has the size in one of the two meanings. Otherwise
 * the meaning with more known messages in the first bytes is taken; undefined while there are not enough bytes.
 */
export function sizesIncludeHeader(
  reader: MessageReader,
  event: TraceEvent,
  messages: MessageBytes,
): boolean | undefined {
  const { bytes, view, from, ended } = messages;
  const little = reader.littleEndian;
  if (bytes.length - from < MESSAGE_HEADER_BYTES) return undefined;
  const message = messageOfId(view.getUint16(from, little));
  const size = view.getUint32(from + 2, little);
  const id = view.getUint16(from, little);
  if (message !== undefined) {
    const lengths = reader.exactLengths(
      event,
      message,
      bytes,
      view,
      from + MESSAGE_HEADER_BYTES,
      bytes.length,
    );
    if (lengths.includes(size - MESSAGE_HEADER_BYTES)) return true;
    if (lengths.includes(size)) return false;
  } else if (id === 1) {
    // The body is the name of the encoding, a text.
    const end = bytes.indexOf(0, from + MESSAGE_HEADER_BYTES);
    const length = end + 1 - from - MESSAGE_HEADER_BYTES;
    if (end >= 0 && length === size - MESSAGE_HEADER_BYTES) return true;
    if (end >= 0 && length === size) return false;
  } else if (id === 2) {
    if (size === MESSAGE_HEADER_BYTES + 8) return true;
    if (size === 8) return false;
  }
  if (!ended && bytes.length - from < EXAMINED_BYTES) return undefined;
  return knownMessages(messages, little, true) >= knownMessages(messages, little, false);
}

/** Whether consecutive messages from `from` on end exactly at `to`. */
export function messagesEndAt(
  view: DataView,
  from: number,
  to: number,
  little: boolean,
  includesHeader: boolean,
): boolean {
  let at = from;
  while (at + MESSAGE_HEADER_BYTES <= to) {
    const size = view.getUint32(at + 2, little);
    if (view.getUint16(at, little) > MAX_MESSAGE_ID || (includesHeader && size < MESSAGE_HEADER_BYTES))
      return false;
    at += includesHeader ? size : size + MESSAGE_HEADER_BYTES;
  }
  return at === to;
}

function knownMessages(
  { bytes, view, from }: MessageBytes,
  little: boolean,
  includesHeader: boolean,
): number {
  const end = Math.min(bytes.length, from + EXAMINED_BYTES);
  let count = 0;
  for (let at = from; at + MESSAGE_HEADER_BYTES <= end;) {
    const id = view.getUint16(at, little);
    const size = view.getUint32(at + 2, little);
    if (id > MAX_MESSAGE_ID || (includesHeader && size < MESSAGE_HEADER_BYTES)) break;
    if (id === 1 || id === 2 || messageOfId(id) !== undefined) count++;
    at += includesHeader ? size : size + MESSAGE_HEADER_BYTES;
  }
  return count;
}
