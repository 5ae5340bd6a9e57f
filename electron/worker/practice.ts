import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { NOTHING_CHOSEN } from '../../shared/formats/choice.ts';
import type { Epoch } from '../../shared/protocol/messages.ts';
import type { Clock } from './clock.ts';
import { Followers } from './followers.ts';
import { LogEpoch } from './log-epoch.ts';

/** Whoever shows the window comes first. */
const AFTER_MS = 300;
/** From some twenty megabytes on practice changes nothing any more; that takes a quarter of a second. */
const PRACTICE_BYTES = 20e6;
/** Of a log that is very small, which teaches little. */
const MOST_ROUNDS = 100;
const CHUNK_BYTES = 1 << 17;
const FOLLOWER = 1;

/** Practises with the log in gzip at `path`, after a while. Without one, or when it cannot be read, not at all. */
export async function practiseWith(
  path: string | undefined,
  clock: Clock,
  mayGoOn: () => boolean,
): Promise<void> {
  if (path === undefined) return;
  await clock.pause(AFTER_MS);
  if (!mayGoOn()) return;
  let log: Uint8Array;
  try {
    // Not a Buffer: what is compiled for two classes is slower for each.
    log = new Uint8Array(gunzipSync(readFileSync(path)));
  } catch {
    // Then the log that comes is read by a thread that never read one.
    return;
  }
  await practise(log, clock, mayGoOn);
}

/**
 * What a log's thread does while there is no log: reads a small one, again and again, for nobody. A thread compiles what
 * it runs, and nearly half a second is gone before that is done for all that reading a log takes: whoever opens one need
 * not wait for it. The decoder has been loaded. Ends between two chunks when `mayGoOn` says no. Resolves to the bytes
 * that were read.
 */
export async function practise(log: Uint8Array, clock: Clock, mayGoOn: () => boolean): Promise<number> {
  let bytes = 0;
  for (let round = 0; round < MOST_ROUNDS && bytes < PRACTICE_BYTES; round++) {
    const epoch = new LogEpoch(round as Epoch, undefined, NOTHING_CHOSEN);
    const followers = new Followers({ number: epoch.number, source: epoch.source }, () => undefined);
    followers.add(FOLLOWER);
    for (let at = 0; at < log.length; at += CHUNK_BYTES) {
      await clock.breathe();
      if (!mayGoOn()) return bytes;
      const chunk = log.subarray(at, at + CHUNK_BYTES);
      epoch.append(chunk, at);
      bytes += chunk.length;
      followers.publish(clock.now(), Infinity);
      followers.acknowledge(FOLLOWER, epoch.number, epoch.source.journal.selves.revision);
    }
  }
  return bytes;
}
