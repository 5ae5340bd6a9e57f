import {
  appendFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_OPEN_FILES, openFilesBelow } from '../../support/open-files.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { FaultyFiles, TailReader } from '../../support/tail-reader.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testSeed } from '../../support/test-seed.ts';
import { testSize } from '../../support/test-size.ts';

const { seed, randomFor } = testSeed('log-tailer.model');

const SEQUENCES = testSize(150, 20_000);
const OPERATIONS = 40;
const FAULTY_CALLS = ['open', 'fstat', 'stat', 'read'] as const;

/** Everything that was ever at the path, between two truncations or replacements. */
interface Content {
  written: string;
  /** How much of it a reader had the time to see. */
  visible: number;
  /** The reader had this file open when it left the path: nothing of it may be lost. */
  isKept: boolean;
}

/** A writer that does to a file what writers and administrators do. */
class RandomWriter {
  readonly contents: Content[] = [];
  readonly done: string[] = [];
  readonly #path: string;
  readonly #random: SeededRandom;
  #current: Content | undefined;
  #isHeld = false;
  #renamed = 0;

  constructor(path: string, random: SeededRandom) {
    this.#path = path;
    this.#random = random;
  }

  /** The reader polled for long enough to have the present file open and read to its end. */
  noteCaughtUp(): void {
    if (this.#current === undefined) return;
    this.#current.visible = this.#current.written.length;
    this.#isHeld = this.#current.written.length > 0;
  }

  step(): void {
    const operations =
      this.#current === undefined
        ? (['create'] as const)
        : ([
            'append',
            'append',
            'append',
            'append',
            'truncate',
            'restart',
            'rotate',
            'replace',
            'delete',
            'away and back',
          ] as const);
    const operation = this.#random.pick(operations);
    this.done.push(operation);
    switch (operation) {
      case 'create':
        this.#begin();
        break;
      case 'append':
        this.#append();
        break;
      case 'truncate':
        this.#end(false);
        writeFileSync(this.#path, '');
        this.#begin();
        break;
      case 'restart':
        // To a size below, at or beyond the old one.
        this.#end(false);
        this.#begin(this.#random.below(200));
        break;
      case 'rotate':
        renameSync(this.#path, this.#aside());
        this.#end(true);
        if (this.#random.below(2) === 0) this.#begin(this.#random.below(100));
        break;
      case 'replace': {
        this.#end(true);
        const content = this.#content(this.#random.below(150));
        writeFileSync(`${this.#path}.new`, content.written);
        renameSync(`${this.#path}.new`, this.#path);
        break;
      }
      case 'delete':
        unlinkSync(this.#path);
        this.#end(true);
        if (this.#random.below(2) === 0) this.#begin(this.#random.below(100));
        break;
      case 'away and back': {
        const aside = this.#aside();
        renameSync(this.#path, aside);
        if (this.#random.below(2) === 0) {
          appendFileSync(aside, this.#text(20));
        }
        renameSync(aside, this.#path);
        break;
      }
    }
  }

  /** Text that occurs nowhere else. */
  #text(length: number): string {
    const id = this.contents.length - 1;
    let text = '';
    while (text.length < length) text += `${id}.${this.#random.below(1e9).toString(36)} `;
    const content = this.#current!;
    content.written += text;
    return text;
  }

  #append(): void {
    appendFileSync(this.#path, this.#text(1 + this.#random.below(80)));
  }

  #content(length: number): Content {
    const content = { written: '', visible: 0, isKept: false };
    this.contents.push(content);
    this.#current = content;
    this.#isHeld = false;
    if (length > 0) this.#text(length);
    return content;
  }

  #begin(length = 0): void {
    writeFileSync(this.#path, this.#content(length).written);
  }

  #end(isKept: boolean): void {
    if (this.#current !== undefined) this.#current.isKept = isKept && this.#isHeld;
    this.#current = undefined;
  }

  #aside(): string {
    return `${this.#path}.${++this.#renamed}`;
  }
}

/** What is wrong with what was read, if anything. */
function faultOf(read: readonly string[], contents: readonly Content[]): string | undefined {
  let next = 0;
  for (const text of read.filter((text) => text !== '')) {
    const at = contents.findIndex(({ written }, index) => index >= next && written.startsWith(text));
    if (at < 0) return `phantom or repeated: ${text}`;
    for (; next < at; next++) {
      const lost = contents[next];
      if (lost.visible > 0) return `lost: ${lost.written}`;
    }
    const { written, visible, isKept } = contents[at];
    const isLast = at === contents.length - 1;
    const least = isKept || isLast ? written.length : visible;
    if (text.length < least) return `cut: ${text} of ${written}, of which ${least} bytes had to be read`;
    next = at + 1;
  }
  const rest = contents.slice(next).find(({ visible }) => visible > 0);
  return rest === undefined ? undefined : `lost: ${rest.written}`;
}

test(
  `T08–T19 T32 T39: ${SEQUENCES} random lives of a file, with errors and short reads: no byte is invented, repeated or lost`,
  { timeout: 0 },
  () => {
    const folder = temporaryFolder();
    let faults = 0;
    let failures = 0;
    for (let sequence = 0; sequence < SEQUENCES; sequence++) {
      const random = randomFor(sequence);
      const path = join(folder, `${sequence}.log`);
      const writer = new RandomWriter(path, random);
      const files = new FaultyFiles();
      const reader = new TailReader(path, files);
      for (let operation = 0; operation < OPERATIONS; operation++) {
        writer.step();
        const looks = random.below(5);
        files.longestRead = random.below(3) === 0 ? 1 + random.below(40) : Infinity;
        if (looks === 4) {
          const call = random.pick(FAULTY_CALLS);
          files.faults[call] = random.pick(['EIO', 'ESTALE', 'EINTR', 'EAGAIN']);
          reader.pollToEnd();
          writer.done.push(`(poll: ${files.faults[call]} of ${call})`);
          files.faults[call] = undefined;
          failures++;
        } else if (looks === 0) {
          reader.pollToEnd();
          writer.done.push('(poll)');
        } else if (looks === 1) {
          reader.pollAWhile();
          writer.noteCaughtUp();
          writer.done.push('(polled a while)');
        }
      }
      reader.pollAWhile();
      reader.tailer.close();
      const read = reader.contents.map(({ pieces }) => Buffer.concat(pieces).toString('latin1'));
      const fault = faultOf(read, writer.contents);
      expect(fault, `seed ${seed}, ${sequence}: ${writer.done.join(', ')}`).toBeUndefined();
      faults += writer.done.filter(
        (what) => what !== 'append' && what !== 'create' && !what.startsWith('('),
      ).length;
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
      expect(existsSync(path)).toBe(false);
    }
    console.log(
      `log-tailer.model: ${faults} truncations, rotations, replacements and deletions, ${failures} system calls failed`,
    );
    if (NO_OPEN_FILES === undefined) expect(openFilesBelow(folder)).toBe(0);
  },
);
