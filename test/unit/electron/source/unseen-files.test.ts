import { renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { LogTailer } from '../../../../electron/source/log-tailer.ts';
import type { FileState, TailFileSystem } from '../../../../electron/source/tail-files.ts';
import { unseenMs } from '../../../../electron/source/unseen-time.ts';
import type { SeededRandom } from '../../../support/seeded-random.ts';
import { NO_OPEN_FILES, openFilesBelow } from '../../../support/open-files.ts';
import { following } from '../../../support/tail-reader.ts';
import { testSeed } from '../../../support/test-seed.ts';
import { testSize } from '../../../support/test-size.ts';
import { testUnless } from '../../../support/test-unless.ts';

const { seed, randomFor } = testSeed('unseen-files');
const SEQUENCES = testSize(200, 20_000);
const ROTATIONS = 20;
/** Shorter lives than two ticks of the kernel's clock cannot be noticed. */
const SHORTEST_LIFE_MS = 25;

interface FakeFile {
  readonly ino: bigint;
  readonly content: Buffer;
  readonly born: number;
  changed: number;
  left: number | undefined;
}

/** A path on which a rotating writer replaces files, at times that the test sets. Descriptors are inode numbers. */
class RotatedPath implements TailFileSystem {
  now = 1e12;
  readonly all: FakeFile[] = [];
  #named: FakeFile | undefined;

  create(): void {
    const content = Buffer.from(`file ${this.all.length + 1}`);
    this.#named = {
      ino: BigInt(this.all.length + 1),
      content,
      born: this.now,
      changed: this.now,
      left: undefined,
    };
    this.all.push(this.#named);
  }

  rename(): void {
    if (this.#named === undefined) return;
    this.#named.changed = this.#named.left = this.now;
    this.#named = undefined;
  }

  open(): number {
    return Number(this.#present.ino);
  }

  close(): void {
    // Nothing to give back.
  }

  stat(): FileState {
    return stateOf(this.#present);
  }

  fstat(file: number): FileState {
    return stateOf(this.all[file - 1]);
  }

  read(file: number, into: Uint8Array, at: number, length: number, position: number): number {
    const part = this.all[file - 1].content.subarray(position, position + length);
    into.set(part, at);
    return part.length;
  }

  get #present(): FakeFile {
    if (this.#named === undefined) throw Object.assign(new Error('no file'), { code: 'ENOENT' });
    return this.#named;
  }
}

function stateOf({ ino, content, born, changed }: FakeFile): FileState {
  const [bornNs, changedNs] = [born, changed].map((ms) => BigInt(ms) * 1_000_000n);
  return { dev: 1n, ino, size: content.length, modifiedNs: bornNs, changedNs, bornNs, refusal: undefined };
}

/** Files in the order in which they were read, with the time in which another may have been there before each. */
function followed(path: RotatedPath): { readonly tailer: LogTailer; readonly read: Map<string, number> } {
  const read = new Map<string, number>();
  let before = 0;
  const sink = {
    begin: (_reason: unknown, _state: unknown, unseen: number) => void (before = unseen),
    bytes: (bytes: Uint8Array, offset: number) => {
      read.set(Buffer.from(bytes).toString(), before);
      return offset + bytes.length;
    },
    overwritten: () => undefined,
  };
  return { tailer: new LogTailer('a.log', sink, path, () => path.now), read };
}

/** A rotation, after a while in which the file lives, and a pause in which there is no file; looks in between. */
function rotate(path: RotatedPath, tailer: LogTailer, random: SeededRandom): void {
  const pass = (ms: number): void => {
    for (let left = ms; left > 0; left -= 50) {
      path.now += Math.min(left, 50);
      if (random.below(3) === 0) void tailer.poll();
    }
  };
  pass(random.pick([0, 1, 30, 60, 400]));
  path.rename();
  pass(random.pick([0, 0, 1, 30, 60, 400]));
  path.create();
}

test(
  `T09: ${SEQUENCES} × ${ROTATIONS} rotations between any looks: who was not seen is possibly missed`,
  { timeout: 0 },
  () => {
    let unseen = 0;
    for (let sequence = 0; sequence < SEQUENCES; sequence++) {
      const random = randomFor(sequence);
      const path = new RotatedPath();
      path.create();
      const { tailer, read } = followed(path);
      void tailer.poll();
      for (let rotation = 0; rotation < ROTATIONS; rotation++) rotate(path, tailer, random);
      for (let poll = 0; poll < 100; poll++) {
        path.now += 50;
        void tailer.poll();
      }
      const names = path.all.map(({ content }) => content.toString());
      expect([...read.keys()], `seed ${seed}, ${sequence}`).toEqual(names.filter((name) => read.has(name)));
      expect(read.has(names.at(-1)!)).toBe(true);
      for (const [at, { born, left }] of path.all.entries()) {
        if (read.has(names[at]) || left! - born < SHORTEST_LIFE_MS) continue;
        unseen++;
        const next = names.slice(at).find((name) => read.has(name))!;
        expect(read.get(next), `seed ${seed}, ${sequence}: ${names[at]}`).toBeGreaterThan(left! - born - 1);
      }
    }
    console.log(`unseen-files: ${unseen} files were possibly missed`);
    expect(unseen).toBeGreaterThan(SEQUENCES / 4);
  },
);

testUnless(NO_OPEN_FILES)(
  'T09: a file that was seen once is read, even if it has left its path by then',
  () => {
    const { path, reader } = following('one');
    for (const name of ['two', 'three', 'four']) {
      renameSync(path, `${path}.${name}`);
      writeFileSync(path, name);
      void reader.tailer.poll();
    }
    reader.pollAWhile();
    expect(reader.read).toEqual(['opened one', 'replaced two', 'replaced three', 'replaced four']);
    expect(openFilesBelow(dirname(path))).toBe(1);
  },
);

test('where there was no time for another file, none is possibly missed', () => {
  const file = (bornMs: number, changedMs: number): FileState => ({
    dev: 1n,
    ino: 1n,
    size: 0,
    modifiedNs: 0n,
    changedNs: BigInt(changedMs) * 1_000_000n,
    bornNs: BigInt(bornMs) * 1_000_000n,
    refusal: undefined,
  });
  const told = (old: FileState | undefined, present: FileState | undefined): number =>
    unseenMs({ lastLook: 1_000, old, now: 1_150, present });
  // Renamed and made again at once.
  expect(told(file(0, 1_100), file(1_100, 1_140))).toBe(0);
  expect(told(file(0, 1_100), file(1_104, 1_140))).toBe(0);
  expect(told(file(0, 1_060), file(1_100, 1_140))).toBe(40);
  // Made elsewhere and moved here in one step.
  expect(told(file(0, 1_100), file(900, 1_100))).toBe(0);
  // Made elsewhere, or the old file was written after it had left: nobody knows when it left.
  expect(told(file(0, 1_100), file(900, 1_140))).toBe(150);
  // There was no file when the path was last looked up.
  expect(told(undefined, file(1_005, 1_140))).toBe(0);
  expect(told(undefined, file(1_100, 1_140))).toBe(100);
  // Nor is there now.
  expect(told(file(0, 1_100), undefined)).toBe(50);
});
