import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Flush, flushesOf } from './recording-film.ts';

const STATE_OFFSET = 64;
const BEING_WRITTEN = 255;

/** A film of test/golden/jvm that a test plays into a folder, flush by flush, as the JVM wrote it. */
export class PlayedRecording {
  readonly flushes: readonly Flush[];
  readonly folder: string;
  /** The files of the chunks so far. */
  readonly files: string[] = [];
  #played = 0;

  constructor(folder: string, film = 'jdk17') {
    this.folder = folder;
    this.flushes = flushesOf(new Uint8Array(gunzipSync(readFileSync(`test/golden/jvm/${film}.film.gz`))));
  }

  /** The flushes played so far. */
  get played(): readonly Flush[] {
    return this.flushes.slice(0, this.#played);
  }

  /** Writes the next flush. `inBetween` is called while the header says that it is being written. */
  flush(inBetween?: () => void): void {
    const { header, bytes, isNewChunk } = this.flushes[this.#played++];
    if (isNewChunk) this.files.push(join(this.folder, `2026_11_23_03_00_0${this.files.length}.jfr`));
    const path = this.files[this.files.length - 1];
    const file = openSync(path, isNewChunk ? 'w' : 'r+');
    const writing = header.slice();
    writing[STATE_OFFSET] = BEING_WRITTEN;
    if (isNewChunk) writeSync(file, writing, 0, writing.length, 0);
    else writeSync(file, writing, STATE_OFFSET, 1, STATE_OFFSET);
    writeSync(file, bytes, 0, bytes.length, sizeIn(header) - bytes.length);
    inBetween?.();
    writeSync(file, header, 0, STATE_OFFSET, 0);
    writeSync(file, header, STATE_OFFSET, header.length - STATE_OFFSET, STATE_OFFSET);
    closeSync(file);
  }

  flushAll(): void {
    while (this.#played < this.flushes.length) this.flush();
  }

  /** Removes the files, as a JVM does at the end of a recording. */
  removeFiles(): void {
    for (const path of this.files) rmSync(path);
  }
}

function sizeIn(header: Uint8Array): number {
  return Number(new DataView(header.buffer, header.byteOffset).getBigInt64(8));
}
