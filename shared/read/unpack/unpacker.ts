import type { Accepts, ZipEntry } from './zip-entry.ts';
/** Why unpacking stopped early. Everything before the damage was emitted. */
export interface UnpackDamage {
  /** Offset in the stored bytes. */
  readonly byteOffset: number;
  readonly found: string;
  readonly expected: string;
}

/** Unpacks compressed bytes as they arrive and emits their content. Invalid bytes set `damage` and never throw. */
export interface Unpacker {
  /** Takes the next stored bytes, borrowed until the promise resolves. After damage they are ignored. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Call it at the end of the input. Incomplete compressed data is damage. */
  end(): Promise<void> | undefined;
  /** Frees resources. A pending `write` or `end` resolves. */
  close(): void;
  readonly damage: UnpackDamage | undefined;
}

/**
 * Creates an unpacker for gzip, including concatenated members. Callers pass it in, because Node and browsers each have
 * a native one, which is much faster than one in JavaScript. The receiver owns the emitted bytes.
 */
export type OpenGunzip = (onBytes: (bytes: Uint8Array) => void) => Promise<Unpacker>;

interface Spare {
  readonly name: string;
  readonly head: Uint8Array;
  readonly damage: UnpackDamage | undefined;
}

/** The first bytes of the latest entry that is wanted only if no other entry of its archive is. */
export class SpareEntry {
  #spare: Spare | undefined;

  /** Keeps an entry that has ended, if it is such a one. `damage`: of its compressed data. */
  note(entry: ZipEntry, damage: UnpackDamage | undefined): void {
    if (entry.spare !== undefined) this.#spare = { name: entry.name, head: entry.spare, damage };
  }

  /** Asks again for the entry, and emits it if it is wanted. Returns it if so. */
  emit(accepts: Accepts, onBytes: (bytes: Uint8Array) => void): Spare | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare === undefined || accepts(spare.head, true, spare.name, true) !== true) return undefined;
    onBytes(spare.head);
    return spare;
  }
}
