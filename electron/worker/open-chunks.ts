import { fstatSync } from 'node:fs';
import type { OpenChunk } from './worker-messages.ts';

/** Finds out when other chunk files of a recording are open than before. */
export class OpenChunks {
  #descriptors: readonly number[] = [];

  /** The files that are open now; undefined if they are those of the last call. */
  change(descriptors: readonly number[]): readonly OpenChunk[] | undefined {
    const before = this.#descriptors;
    const isSame =
      before.length === descriptors.length && before.every((each, at) => each === descriptors[at]);
    this.#descriptors = descriptors;
    return isSame
      ? undefined
      : descriptors.map((descriptor) => ({ descriptor, identity: identityOf(descriptor) }));
  }
}

function identityOf(descriptor: number): string {
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  return `${dev} ${ino}`;
}
