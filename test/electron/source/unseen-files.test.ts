import { renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { FileState, TailFileSystem } from '../../../electron/source/tail-files.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { NO_OPEN_FILES, openFilesBelow } from '../../support/open-files.ts';
import { following, TailReader } from '../../support/tail-reader.ts';
import { testSeed } from '../../support/test-seed.ts';
import { testSize } from '../../support/test-size.ts';
import { testUnless } from '../../support/test-unless.ts';

const { seed, randomFor } = testSeed('unseen-files');
const SEQUENCES = testSize(200, 20_000);
const ROTATIONS = 20;

interface FakeFile {
  readonly ino: bigint;
  readonly content: Buffer;
  /** The path named it when it was looked up. */
  isSeen: boolean;
}

/** A path on which a rotating writer replaces files, at times that the test sets. Descriptors are inode numbers. */
class RotatedPath implements TailFileSystem {
  readonly all: FakeFile[] = [];
  #named: FakeFile | undefined;

  create(): void {
    const number = this.all.length + 1;
    this.#named = { ino: BigInt(number), content: Buffer.from(`file ${number}`), isSeen: false };
    this.all.push(this.#named);
  }

  rename(): void {
    this.#named = undefined;
  }

  open(): number {
    return Number(this.#present.ino);
  }

  close(): void {
    // Nothing to give back.
  }

  stat(): FileState {
    this.#present.isSeen = true;
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

function stateOf({ ino, content }: FakeFile): FileState {
  return { dev: 1n, ino, size: content.length, modifiedNs: 0n, changedNs: 0n, refusal: undefined };
}

/** A rotation, with looks at the path before it, and while it names no file. */
function rotate(path: RotatedPath, reader: TailReader, random: SeededRandom): void {
  const look = (most: number): void => {
    for (let looks = random.below(most); looks > 0; looks--) reader.poll();
  };
  look(4);
  path.rename();
  look(3);
  path.create();
}

test(
  `T09: ${SEQUENCES} × ${ROTATIONS} rotations between any looks: every file that a look saw is read, in order`,
  { timeout: 0 },
  () => {
    let unseen = 0;
    for (let sequence = 0; sequence < SEQUENCES; sequence++) {
      const random = randomFor(sequence);
      const path = new RotatedPath();
      path.create();
      const reader = new TailReader('a.log', path);
      reader.poll();
      for (let rotation = 0; rotation < ROTATIONS; rotation++) rotate(path, reader, random);
      for (let poll = 0; poll < 100; poll++) reader.poll();
      const seen = path.all.filter(({ isSeen }) => isSeen).map(({ content }) => content.toString());
      const read = reader.contents.map(({ pieces }) => Buffer.concat(pieces).toString());
      expect(read, `seed ${seed}, ${sequence}`).toEqual(seen);
      expect(read.at(-1)).toBe(`file ${ROTATIONS + 1}`);
      unseen += path.all.length - seen.length;
    }
    console.log(`unseen-files: ${unseen} files were there between two looks only`);
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
      reader.poll();
    }
    reader.pollAWhile();
    expect(reader.read).toEqual(['opened one', 'replaced two', 'replaced three', 'replaced four']);
    expect(openFilesBelow(dirname(path))).toBe(1);
  },
);
