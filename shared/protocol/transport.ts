import type { LogId } from './messages.ts';
/** One end of a connection between host and client. It delivers complete messages in order, text or binary. */
export interface Transport {
  send(message: string | ArrayBuffer): void;
  /** Number of bytes passed to `send` and not yet transmitted; 0 if the transport does not know it. */
  readonly queuedBytes: number;
  onMessage(listener: (message: string | ArrayBuffer) => void): void;
  /** The listener is called once, with a reason to show to the user. After that nothing can be sent. */
  onClose(listener: (reason: string) => void): void;
  close(): void;
}

/** In a stream of bytes, each binary message is preceded by its length (u32, little-endian). */
export const STREAM_HEADER_BYTES = 4;

/** Reassembles messages from pieces that may begin and end anywhere. */
export class MessageReader {
  readonly #onMessage: (message: ArrayBuffer) => void;
  readonly #header = new Uint8Array(STREAM_HEADER_BYTES);
  /** The buffer that is being filled: the header's, or a message's. */
  #target = this.#header;
  #filled = 0;

  constructor(onMessage: (message: ArrayBuffer) => void) {
    this.#onMessage = onMessage;
  }

  /** The piece is borrowed for the call. */
  append(piece: Uint8Array): void {
    for (let at = 0; at < piece.length;) {
      const count = Math.min(piece.length - at, this.#target.length - this.#filled);
      this.#target.set(piece.subarray(at, at + count), this.#filled);
      this.#filled += count;
      at += count;
      if (this.#filled === this.#target.length) this.#complete();
    }
  }

  #complete(): void {
    const { buffer } = this.#target;
    this.#filled = 0;
    if (buffer !== this.#header.buffer) {
      this.#target = this.#header;
      this.#onMessage(buffer);
      return;
    }
    this.#target = new Uint8Array(new DataView(buffer).getUint32(0, true));
    if (this.#target.length === 0) this.#complete();
  }
}

/** Bytes before the delta in a binary message: the log's id (u32, little-endian) and four bytes of zero. */
export const DELTA_PREFIX = 8;

/** Writes the log's id into the prefix of a delta that was encoded with DELTA_PREFIX free bytes. */
export function setLogOfDelta(message: ArrayBuffer, log: LogId): void {
  new DataView(message).setUint32(0, log, true);
}

export function logOfDelta(message: ArrayBuffer): LogId {
  return new DataView(message).getUint32(0, true) as LogId;
}
