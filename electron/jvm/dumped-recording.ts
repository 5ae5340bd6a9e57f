import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { errnoOf } from '../source/source-error.ts';
import { AttachedJvm, AttachError } from './attach.ts';
import { attachSocketOf } from './attach-socket.ts';
import { FlightRecorder, recordingName, type RecordingSettings } from './flight-recorder.ts';
import type { Jvm } from './jvm.ts';
import { type JvmRecording, visibleFolder } from './jvm-recording.ts';
import { ChunkSplitter } from './split-chunks.ts';
import { stopWhenKilled } from './stop-when-killed.ts';

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
  readonly since = 0n;
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
    await recorder.stopAbandoned((pid) => existsSync(`/proc/${pid}`));
    const name = recordingName(process.pid, randomBytes(4).toString('hex'));
    const places = newPlaces(jvm, name);
    try {
      await recorder.start(name, { settings, flushes: false, maxMegabytes: MAX_MEGABYTES });
      return new DumpedRecording(recorder, name, places, everyMs);
    } catch (error) {
      for (const folder of [places.chunks, places.dumps]) rmSync(folder, { recursive: true, force: true });
      places.release();
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
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #end(): Promise<void> {
    this.#stop.abort();
    await this.#dumping;
    // What has been recorded since the last one.
    await this.#dump();
    await this.#recorder.stop(this.#name);
    rmSync(this.#places.dumps, { recursive: true, force: true });
    this.#places.release();
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
      rmSync(here, { force: true });
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
  readonly release: () => void;
}

/** Also has the recording stopped, and the folders removed, if this process is killed. */
function newPlaces(jvm: Jvm, name: string): Places {
  const chunks = mkdtempSync(join(tmpdir(), 'leanscope-'));
  // Where its /tmp is that of this process, not below /proc: there it could not be removed once the JVM has ended.
  const dumps = mkdtempSync(join(visibleFolder(jvm, '/tmp'), 'leanscope-'));
  // Root may attach to the JVMs of others.
  if (process.geteuid?.() !== jvm.userId) chownSync(dumps, jvm.userId, -1);
  const release = stopWhenKilled(jvm, attachSocketOf(jvm.pid, jvm.ownPid), name, [chunks, dumps]);
  return { chunks, dumps, dumpsInJvm: join('/tmp', basename(dumps)), release };
}
