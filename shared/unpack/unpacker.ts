/** Why unpacking stopped early. Everything that could be unpacked before was emitted. */
export interface UnpackDamage {
  /** Stored bytes that were unpacked before. */
  readonly byteOffset: number;
  readonly found: string;
  readonly expected: string;
}

/** Unpacks compressed bytes as they arrive and emits what they hold. Never throws for what the bytes say. */
export interface Unpacker {
  /** The next stored bytes, borrowed until the promise resolves. After a damage they are ignored. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** No more bytes will come: compressed data that is not complete is a damage. */
  end(): Promise<void> | undefined;
  /** Releases what it holds. A `write` or `end` that has not resolved does so. */
  close(): void;
  readonly damage: UnpackDamage | undefined;
}

/**
 * Makes an unpacker for gzip, concatenated members included. Node and browsers have their own, both much faster than
 * one in JavaScript. What is emitted belongs to the receiver.
 */
export type OpenGunzip = (onBytes: (bytes: Uint8Array) => void) => Promise<Unpacker>;
