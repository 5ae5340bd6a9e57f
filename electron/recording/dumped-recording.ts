import {
  chownSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openToRead } from '../source/open-file.ts';
import { errnoOf } from '../source/source-error.ts';
import { AttachedJvm, AttachError } from '../jvm/attach.ts';
import { FlightRecorder, type RecordingSettings, OwnRecording } from './flight-recorder.ts';
import type { Jvm } from '../jvm/jvm.ts';
import { makeTemporaryFolder, newRecordingName } from './recording-name.ts';
import { visiblePath } from '../jvm/process-places.ts';
import { readFlushedHeader } from '../source/recording-chunks.ts';
import type { RecordedType } from '../../shared/facts/recording-choice.ts';
import type { JvmRecording } from './jvm-recording.ts';

/** Time between two dumps, which is how late its samples are shown. */
export const DUMP_EVERY_MS = 5_000;
/** A dump takes at most this part of the time: the JVM copies files for it, and ends its chunk. */
const MOST_SHARE = 0.05;
const MAX_MEGABYTES = 100;

/**
 * A flight recording in a JVM whose JFR does not flush: JDK 11 to 13, and 8u262 and later. It is dumped every few seconds.
 * A dump ends the chunk that is being written, so that each brings new finished chunks. They become files of a private
 * folder, which is followed like the repository of a JVM.
 */
export class DumpedRecording implements JvmRecording {
  readonly folder: string;
  readonly leftOut: readonly string[] = [];
  readonly #recorder: FlightRecorder;
  readonly #name: string;
  readonly #places: Places;
  readonly #splitter: ChunkSplitter;
  readonly #stop = new AbortController();
  readonly #dumping: Promise<void>;
  #stopping: Promise<void> | undefined;

  private constructor(recorder: FlightRecorder, name: string, places: Places, everyMs: number) {
    this.#recorder = recorder;
    this.#name = name;
    this.folder = places.chunks;
    this.#places = places;
    this.#splitter = new ChunkSplitter(places.chunks);
    this.#dumping = this.#dumpUntilStopped(everyMs);
  }

  /** Starts a recording, and stops those of Leanscope processes that were killed. Throws AttachError. */
  static async start(
    jvm: Jvm,
    settings: RecordingSettings['settings'],
    everyMs = DUMP_EVERY_MS,
  ): Promise<DumpedRecording> {
    const recorder = new FlightRecorder(await AttachedJvm.open(jvm));
    await recorder.stopAbandoned();
    const name = newRecordingName();
    const places = newPlaces(jvm);
    try {
      await recorder.start(name, { settings, flushes: false, maxMegabytes: MAX_MEGABYTES });
      return new DumpedRecording(recorder, name, places, everyMs);
    } catch (error) {
      // A JVM that has not answered in time may start it nevertheless, and stops it after that.
      await recorder.stop(name);
      removeAll(places.chunks, places.dumps);
      throw error;
    }
  }

  async isThere(): Promise<boolean> {
    return (await this.#recorder.list()).some(({ name }) => name === this.#name);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  discard(): void {
    removeAll(this.folder);
  }

  async #end(): Promise<void> {
    this.#stop.abort();
    await this.#dumping;
    // The last dump has the samples since the one before.
    await this.#dump();
    await this.#recorder.stop(this.#name);
    removeAll(this.#places.dumps);
  }

  async #dumpUntilStopped(everyMs: number): Promise<void> {
    const { signal } = this.#stop;
    let waitMs = everyMs;
    for (;;) {
      await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const before = performance.now();
      await this.#dump();
      waitMs = Math.max(everyMs, (performance.now() - before) / MOST_SHARE);
    }
  }

  async #dump(): Promise<void> {
    const name = 'dump.jfr';
    const here = join(this.#places.dumps, name);
    try {
      await this.#recorder.dump(this.#name, join(this.#places.dumpsInJvm, name));
      this.#splitter.split(here);
    } catch (error) {
      // A JVM that does not answer may be busy, and the next dump has all chunks again. That it has ended is found out
      // elsewhere.
      if (!(error instanceof AttachError) && errnoOf(error) === undefined) throw error;
    } finally {
      removeAll(here);
    }
  }
}

/** Private folders of a recording. */
interface Places {
  /** The chunks that were taken out of dumps. */
  readonly chunks: string;
  /** Where the JVM writes its dumps, as this process sees it and as the JVM does: its /tmp may be another one. */
  readonly dumps: string;
  readonly dumpsInJvm: string;
}

/** Throws errors of the system. */
function newPlaces(jvm: Jvm): Places {
  const made: string[] = [];
  const newFolder = (parent: string): string => {
    const folder = makeTemporaryFolder(parent);
    made.push(folder);
    return folder;
  };
  try {
    const chunks = newFolder(tmpdir());
    // Where its /tmp is that of this process, not below /proc: there it could not be removed once the JVM has ended.
    const dumps = newFolder(visiblePath(jvm.pid, '/tmp'));
    // Root may attach to the JVMs of others.
    if (process.geteuid?.() !== jvm.userId) chownSync(dumps, jvm.userId, -1);
    return { chunks, dumps, dumpsInJvm: join('/tmp', basename(dumps)) };
  } catch (error) {
    // A container may have a /tmp that cannot be written.
    removeAll(...made);
    throw error;
  }
}

/** Never throws: a file that cannot be removed must not end the recording, nor this process. */
function removeAll(...paths: readonly string[]): void {
  for (const path of paths) {
    try {
      // A JVM may have put anything at the path of a dump.
      rmSync(path, { recursive: true, force: true });
    } catch {
      // It stays.
    }
  }
}

const PIECE_BYTES = 1 << 20;

/** Bounds of what is written to the disk. */
interface ChunkLimits {
  /** Size of all chunks together, beyond which the oldest are removed. They are read long before. */
  readonly keptBytes: number;
  /** A dump that has more is left out. */
  readonly dumpBytes: number;
}

/** The limits are what a JVM keeps of a recording that flushes. It keeps less of one that is dumped, and dumps no more. */
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
    const file = openToRead(dump, constants.O_NOFOLLOW);
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

/** Options of `startRecording`. */
export interface RecordingStart {
  readonly settings: RecordingSettings['settings'];
  /** Default: the event types of `settings`. A JVM whose JFR does not flush (before JDK 14) ignores it. */
  readonly types?: readonly RecordedType[] | undefined;
  /** Milliseconds between two dumps of a JVM whose JFR does not flush. */
  readonly dumpEveryMs?: number;
}

/** Whether flight recordings of a JVM can be shown while they are made. */
export function canRecord({ can }: Jvm): boolean {
  return can.includes('jfr') || can.includes('jfr-dump');
}

/** Starts a flight recording, in the way that the JVM is capable of. Throws AttachError. */
export function startRecording(
  jvm: Jvm,
  { settings, types, dumpEveryMs }: RecordingStart,
): Promise<JvmRecording & { readonly leftOut: readonly string[] }> {
  if (jvm.can.includes('jfr')) return OwnRecording.start(jvm, settings, types);
  return DumpedRecording.start(jvm, settings, dumpEveryMs);
}
