import { chownSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf } from '../source/source-error.ts';
import { AttachedJvm, AttachError } from './attach.ts';
import { FlightRecorder, type RecordingSettings } from './flight-recorder.ts';
import type { Jvm } from './jvm.ts';
import type { JvmRecording } from './jvm-recording.ts';
import { makeTemporaryFolder } from './left-behind.ts';
import { visiblePath } from './process-places.ts';
import { newRecordingName } from './recording-name.ts';
import { ChunkSplitter } from './split-chunks.ts';

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
    // What has been recorded since the last one.
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
