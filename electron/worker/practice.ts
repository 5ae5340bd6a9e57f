import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { MadeUpProgram } from '../../shared/aggregate/made-up-program.ts';
import { type FileState, nodeFiles, type TailFileSystem } from '../source/log-tailer.ts';
import type { Clock } from './clock.ts';
import { LogSession } from './log-session.ts';

/** Whoever shows the window comes first. */
const AFTER_MS = 300;
/** From some twenty megabytes on practice changes nothing any more; that takes a quarter of a second. */
const PRACTICE_BYTES = 20e6;
/** Of a log that is very small, which teaches little. */
const MOST_ROUNDS = 100;
/** Small pieces, so that what is done for each is done often. */
const MOST_READ = 1 << 13;
const FOLLOWER = 1;
/** Of programs with more frames and threads than the log has, and deeper stacks: for them tables grow. */
const PROGRAMS = 6;
const SAMPLES = 500;
const SAMPLES_AT_ONCE = 100;
const DEEPEST = 400;

/** Practises with the log in gzip at `path`, after a while. Without one not at all. */
export async function practiseWith(
  path: string | undefined,
  clock: Clock,
  mayGoOn: () => boolean,
): Promise<void> {
  if (path === undefined) return;
  await clock.pause(AFTER_MS);
  if (mayGoOn()) await practise(path, clock, mayGoOn);
}

/**
 * What a log's thread does while there is no log: reads the small one in gzip at `path`, again and again, for nobody. A
 * thread compiles what it runs, and nearly half a second is gone before that is done for all that reading a log takes:
 * whoever opens one need not wait for it. The decoder has been loaded. Ends where the reading of a log lets events in
 * when `mayGoOn` says no. Resolves to the bytes that were read; none when the log cannot be read.
 */
export async function practise(path: string, clock: Clock, mayGoOn: () => boolean): Promise<number> {
  let log: Uint8Array;
  try {
    // Not a Buffer: what is compiled for two classes is slower for each.
    log = new Uint8Array(gunzipSync(readFileSync(path)));
  } catch {
    // Then the log that comes is read by a thread that never read one.
    return 0;
  }
  await aggregateMadeUp(clock, mayGoOn);
  let bytes = 0;
  for (let round = 0; round < MOST_ROUNDS && bytes < PRACTICE_BYTES && mayGoOn(); round++) {
    const breathe = async (): Promise<void> => {
      await clock.breathe();
      if (!mayGoOn()) session.receive({ type: 'stop' });
    };
    const session: LogSession = new LogSession({
      path,
      follow: false,
      clock: {
        ...clock,
        breathe,
        // For rows that nobody waits for.
        pause: breathe,
      },
      post: () => undefined,
      files: unpackedFile(log),
    });
    session.receive({ type: 'follow', subscriber: FOLLOWER });
    await session.run();
    bytes += session.status.readBytes;
  }
  return bytes;
}

async function aggregateMadeUp(clock: Clock, mayGoOn: () => boolean): Promise<void> {
  for (let round = 0; round < PROGRAMS; round++) {
    const program = new MadeUpProgram(DEEPEST);
    for (let sample = 0; sample < SAMPLES; sample++) {
      if (sample % SAMPLES_AT_ONCE === 0) await clock.breathe();
      if (!mayGoOn()) return;
      program.sample();
    }
  }
}

/** A file as it would be if it were not packed. */
function unpackedFile(content: Uint8Array): TailFileSystem {
  // Made as `nodeFiles` makes them: what V8 compiles for an object is for those made alike.
  const unpacked = ({ dev, ino, mtimeMs, refusal }: FileState): FileState => ({
    dev,
    ino,
    size: content.length,
    mtimeMs,
    refusal,
  });
  return {
    ...nodeFiles,
    fstat: (file, path) => unpacked(nodeFiles.fstat(file, path)),
    stat: (path) => unpacked(nodeFiles.stat(path)),
    read(_file, into, at, length, position) {
      const part = content.subarray(position, position + Math.min(length, MOST_READ));
      into.set(part, at);
      return part.length;
    },
  };
}
