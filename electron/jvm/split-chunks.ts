import { closeSync, constants, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readFlushedHeader } from '../source/recording-header.ts';

const PIECE_BYTES = 1 << 20;

/** Bounds of what is written to the disk. */
export interface ChunkLimits {
  /** Of the chunks together: the oldest ones are removed beyond this. They are read long before. */
  readonly keptBytes: number;
  /** A dump that has more is left out. */
  readonly dumpBytes: number;
}

/** As much as a JVM keeps of a recording that flushes. It keeps less of one that is dumped, and dumps no more. */
const LIMITS: ChunkLimits = { keptBytes: 250 << 20, dumpBytes: 250 << 20 };

/** Takes new chunks out of dumps, each of which has the chunks of earlier ones, too. */
export class ChunkSplitter {
  readonly #folder: string;
  readonly #limits: ChunkLimits;
  /** The chunks whose files are there, the oldest first. */
  readonly #kept: { readonly path: string; readonly size: number }[] = [];
  #keptBytes = 0;
  readonly #buffer = new Uint8Array(PIECE_BYTES);
  /** Headers of the chunks so far. Their order does not tell new ones: a clock may have been set back. */
  readonly #known = new Set<string>();

  /** `folder`: where the chunks become files, named like those of a JVM. */
  constructor(folder: string, limits = LIMITS) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** Returns the number of new chunks. What is no complete chunk ends the dump. Throws errors of the system. */
  split(dump: string): number {
    const before = this.#known.size;
    const file = openSync(dump, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const { size } = fstatSync(file);
      if (size > this.#limits.dumpBytes) return 0;
      for (let at = 0; at < size;) {
        const header = readFlushedHeader(file, at);
        if (header === undefined || header.size > size - at) break;
        const key = header.bytes.join();
        if (!this.#known.has(key)) {
          this.#write(file, at, header);
          // Not before: a chunk that could not be written, as on a full disk, is taken out of the next dump.
          this.#known.add(key);
        }
        at += header.size;
      }
    } finally {
      closeSync(file);
    }
    return this.#known.size - before;
  }

  #write(
    source: number,
    offset: number,
    { size, startNs }: { readonly size: number; readonly startNs: bigint },
  ): void {
    const path = join(this.#folder, chunkName(startNs, this.#known.size));
    const part = `${path}.part`;
    try {
      this.#copy(source, offset, size, part);
      // A follower sees complete chunks only.
      renameSync(part, path);
    } finally {
      rmSync(part, { force: true });
    }
    this.#kept.push({ path, size });
    this.#keptBytes += size;
    this.#removeOldest();
  }

  #removeOldest(): void {
    while (this.#keptBytes > this.#limits.keptBytes && this.#kept.length > 1) {
      const [{ path, size }] = this.#kept.splice(0, 1);
      rmSync(path, { force: true });
      this.#keptBytes -= size;
    }
  }

  #copy(source: number, offset: number, size: number, path: string): void {
    const file = openSync(path, 'wx', 0o600);
    try {
      for (let done = 0; done < size;) {
        const count = readSync(source, this.#buffer, 0, Math.min(PIECE_BYTES, size - done), offset + done);
        if (count === 0) break;
        for (let at = 0; at < count;) at += writeSync(file, this.#buffer, at, count - at);
        done += count;
      }
    } finally {
      closeSync(file);
    }
  }
}

/** `2026_11_23_03_00_00_7.jfr` */
function chunkName(startNs: bigint, number: number): string {
  const date = new Date(Number(startNs / 1_000_000n)).toISOString().slice(0, 19);
  return `${date.replaceAll(/\D/g, '_')}_${number}.jfr`;
}
