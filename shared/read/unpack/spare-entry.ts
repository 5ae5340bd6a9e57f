import type { UnpackDamage } from './unpacker.ts';
import type { Accepts, ZipEntry } from './zip-entry.ts';

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
