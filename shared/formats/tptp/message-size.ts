import { ENCODING_ID, FREQUENCY_ID, MAX_MESSAGE_ID, messageOfId } from '../../tptp/messages.ts';
import type { MessageReader } from './message-reader.ts';
import type { TraceEvent } from './trace-event.ts';

/** Id and size of a message, before its body. */
export const MESSAGE_HEADER_BYTES = 6;
/** Number of bytes in which known messages are counted if the size of the first one does not decide. */
const EXAMINED_BYTES = 1 << 14;
/** So many more known messages decide earlier. One may be by chance. */
const DECIDING_LEAD = 2;

/** Bytes of consecutive messages; the first begins at `from`. */
interface MessageBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly from: number;
}

/**
 * Whether the sizes of messages include their header of six bytes; the format's document says both (specs: tptp,
 * section 6). The first message decides, if it is known and its body has the size in one of the two meanings. Otherwise
 * the meaning with more known messages is taken. Undefined while there are not enough bytes, also at the end of the file:
 * the answer follows from the first bytes alone, so that a trace that pauses there and goes on is read as if it had not.
 */
export function sizesIncludeHeader(
  reader: MessageReader,
  event: TraceEvent,
  messages: MessageBytes,
): boolean | undefined {
  const { bytes, view, from } = messages;
  const little = reader.littleEndian;
  if (bytes.length - from < MESSAGE_HEADER_BYTES) return undefined;
  const message = messageOfId(view.getUint16(from, little));
  const size = view.getUint32(from + 2, little);
  const id = view.getUint16(from, little);
  if (message !== undefined && bytes.length - from >= size) {
    const lengths = reader.exactLengths(
      event,
      message,
      bytes,
      view,
      from + MESSAGE_HEADER_BYTES,
      Math.min(bytes.length, from + MESSAGE_HEADER_BYTES + size),
    );
    const length = lengths.find((each) => each === size - MESSAGE_HEADER_BYTES || each === size);
    if (length !== undefined) return length < size;
  } else if (id === ENCODING_ID) {
    // The body is the name of the encoding, a text.
    const end = bytes.indexOf(0, from + MESSAGE_HEADER_BYTES);
    const length = end + 1 - from - MESSAGE_HEADER_BYTES;
    if (end >= 0 && length === size - MESSAGE_HEADER_BYTES) return true;
    if (end >= 0 && length === size) return false;
  } else if (id === FREQUENCY_ID) {
    if (size === MESSAGE_HEADER_BYTES + 8) return true;
    if (size === 8) return false;
  }
  return meaningWithMoreKnown(messages, little);
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

/** Reads the messages in both meanings at once, always the one that begins first. */
function meaningWithMoreKnown({ bytes, view, from }: MessageBytes, little: boolean): boolean | undefined {
  const limit = from + EXAMINED_BYTES;
  const including = { at: from, known: 0 };
  const excluding = { at: from, known: 0 };
  for (;;) {
    const lead = including.known - excluding.known;
    const walk = including.at < excluding.at ? including : excluding;
    const { at } = walk;
    if (Math.abs(lead) >= DECIDING_LEAD || at + MESSAGE_HEADER_BYTES > limit) return lead >= 0;
    if (at + MESSAGE_HEADER_BYTES > bytes.length) return undefined;
    const id = view.getUint16(at, little);
    const size = view.getUint32(at + 2, little) + (walk === including ? 0 : MESSAGE_HEADER_BYTES);
    const isPossible = id <= MAX_MESSAGE_ID && size >= MESSAGE_HEADER_BYTES;
    if (isPossible && isKnown(id)) walk.known++;
    walk.at = isPossible ? at + size : limit;
  }
}

const isKnown = (id: number): boolean =>
  id === ENCODING_ID || id === FREQUENCY_ID || messageOfId(id) !== undefined;
