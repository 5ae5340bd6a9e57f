/** Why unpacking stopped early. Everything that could be unpacked before was emitted. */
export interface UnpackDamage {
  /** Stored bytes that were unpacked before. */
  readonly byteOffset: number;
  readonly found: string;
  readonly expected: string;
}

/** Unpacks compressed bytes as they arrive and emits what they hold. Never throws for what the bytes say. */
export interface Unpacker {
  /** The next stored bytes, borrowed until the promise resolves. After damage they are ignored. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** The input has ended: incomplete compressed data is reported as damage. */
  end(): Promise<void> | undefined;
  /** Frees its resources. A pending `write` or `end` resolves. */
  close(): void;
  readonly damage: UnpackDamage | undefined;
}

/**
 * Creates an unpacker for gzip, concatenated members included. A parameter because Node and browsers each have a native
 * one, much faster than one in JavaScript. The receiver owns the emitted bytes.
 */
export type OpenGunzip = (onBytes: (bytes: Uint8Array) => void) => Promise<Unpacker>;
