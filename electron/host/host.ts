import { randomUUID } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import { setLogOfDelta, type Transport } from '../../shared/protocol/transport.ts';
import {
  type HostMessage,
  type LogDescription,
  type LogId,
  type LogStatus,
  PROTOCOL_VERSION,
  SAMPLE_IDS,
  type SampleId,
} from '../../shared/protocol/messages.ts';
import type { Chosen } from '../../shared/facts/choice.ts';
import { formatGroups } from '../../shared/formats/formats.ts';
import { printable } from '../../shared/text/printable.ts';
import type { LogWorkerOptions, SubscriberId } from '../worker/worker-messages.ts';
import { fleetAddress, fleetPlace, isFleet, isFleetAddress } from '../fleet/fleet-address.ts';
import { ClosedRecordings } from './closed-recordings.ts';
import { ClientRequests } from './client-requests.ts';
import { ConnectedClient } from './connected-client.ts';
import { Downloads, type SavedRecording, saveRecording } from './recording-files.ts';
import { LogThreads } from './log-threads.ts';
import { HostJvms } from './jvms/host-jvms.ts';
import type { ClientDialogs, HostOptions } from './host-options.ts';
import { type OpenedAgain, OpenLog } from './open-log.ts';
import { type NamedRecording, READ_END_WITHIN_MS } from './jvms/open-recordings.ts';
import { RealPaths } from '../source/real-paths.ts';
import { sampleIn } from './samples.ts';

/** Each has a thread and a profile of its own, and a page can ask for any number of them. */
const MOST_OF_ONE_FILE = 16;
const TOO_MANY_OF_ONE_FILE = `This file is open in ${MOST_OF_ONE_FILE} tabs, and cannot be in more. Close one of them first.`;

interface OpenOptions {
  /** Show the log in all windows, because it was requested just now. */
  readonly show: boolean;
  /** Keep reading when the file grows; true when not given. */
  readonly follow?: boolean;
  /** Add the file to the recent files; true when not given. False for a temporary file. */
  readonly remember?: boolean;
  /** A file that is open is read once more, for a tab of its own; false when not given. */
  readonly again?: boolean;
  /** Called when the file that this call has opened is read by no log any more. Not when the host stops. */
  readonly onUnused?: () => void;
}

/** Opens logs and serves clients; the same for the desktop and for `leanscope serve`. */
export class Host {
  /** Attaches to JVMs; undefined where that is not possible. */
  readonly jvms: HostJvms | undefined;
  /** Files for browsers to fetch. */
  readonly downloads = new Downloads();
  readonly #options: HostOptions;
  readonly #requests: ClientRequests;
  readonly #threads: LogThreads;
  readonly #realPaths: RealPaths;
  readonly #logs = new Map<LogId, OpenLog>();
  readonly #closed: ClosedRecordings;
  readonly #logOfPath = new Map<string, LogId>();
  /** Path -> who wants to know when no log reads that file any more. */
  readonly #onUnused = new Map<string, () => void>();
  readonly #clients = new Map<SubscriberId, ConnectedClient>();
  /** Problems that no client has been told of. */
  readonly #untold: string[] = [];
  /** Distinguishes this run of the host from others. */
  readonly #run = randomUUID();
  #lastLog = -1;
  #lastClient = 0;
  #isStopped = false;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#requests = new ClientRequests(this, options);
    this.#closed = new ClosedRecordings(options, () => this.jvms?.recordings, {
      tellRecent: () => this.#sendRecent(),
      tellProblem: (text) => this.tellProblem(text),
    });
    this.#threads = new LogThreads(options.workerUrl);
    this.#realPaths = options.realPaths ?? new RealPaths();
    this.jvms =
      options.jvms &&
      new HostJvms(
        options.jvms,
        {
          openRecording: (recording) => Promise.resolve(this.#openRecording(recording)),
          show: (log) => this.show(log),
          endRecording: (log, reason) => (this.#logs.get(log) ?? this.#closed.get(log))?.end(reason),
          tellSampling: (log, state) => this.sendAll({ type: 'sampling', log, state }),
          tellRecording: (log, state) => this.sendAll({ type: 'recording', log, state }),
          tellProblem: (text) => this.tellProblem(text),
          openFile: async (path) => void (await this.open(path, { show: true })),
        },
        this.#realPaths,
      );
  }

  /**
   * Opens a log. Resolves before the file is read: progress and errors are in its status. A file that is already open
   * is not read again, unless `again` says so. Undefined if the host was stopped in the meantime, or the file is in too
   * many tabs.
   */
  async open(path: string, options: OpenOptions): Promise<LogId | undefined> {
    const absolute = isFleetAddress(path) ? path : resolve(path);
    // Links are resolved, so that one file is one log. A file that does not exist yet has no real path.
    const realPath = isFleetAddress(path) ? path : await this.#realPaths.of(absolute);
    if (realPath !== undefined && isFleet(realPath)) {
      const address = fleetAddress(absolute);
      return this.#openPath(address, address, fleetPlace(address), { ...options, follow: false });
    }
    const id = this.#openPath(realPath ?? absolute, absolute, placeOf(absolute), options);
    if (id !== undefined && realPath !== undefined && options.remember !== false) {
      this.#options.recentFiles.add(absolute);
      this.#sendRecent();
    }
    return id;
  }

  /** Opens a sample recording. Undefined if there are no samples or the host was stopped. */
  async openSample(sample: SampleId, options: OpenOptions): Promise<LogId | undefined> {
    const { sampleFolder } = this.#options;
    if (sampleFolder === undefined) return undefined;
    const { path, name } = sampleIn(resolve(sampleFolder), sample);
    const realPath = (await this.#realPaths.of(path)) ?? path;
    return this.#openPath(realPath, path, { ...placeOf(realPath), name }, { ...options, follow: false });
  }

  close(id: LogId): void {
    const log = this.#logs.get(id);
    if (log === undefined) return;
    this.#logs.delete(id);
    for (const client of this.#clients.values()) client.forget(id);
    this.#end(log);
    this.sendAll({ type: 'closed', log: id });
    this.#options.onLogs?.();
  }

  /** Ends the reading of a log. */
  #end(log: OpenLog): void {
    const { id } = log.description;
    for (const [path, open] of this.#logOfPath) if (open === id) this.#logOfPath.delete(path);
    const close = async (): Promise<void> => {
      this.jvms?.recordings.forget(id);
      await log.close();
      this.#tellUnused(log.path);
      this.#prepareThread();
    };
    // Stopping the host waits for what is being kept, and closes it.
    void (this.#closed.keep(log)?.then(() => (this.#isStopped ? undefined : close())) ?? close());
  }

  #tellUnused(path: string): void {
    if (this.#isStopped || this.#logsOf(path).length > 0) return;
    this.#onUnused.get(path)?.();
    this.#onUnused.delete(path);
  }

  #logsOf(path: string): readonly OpenLog[] {
    return [...this.#logs.values()].filter((log) => log.path === path);
  }

  /** The recordings of which there is no file, each by one of its logs. */
  unsavedRecordings(): readonly LogDescription[] {
    const { recordings } = this.jvms ?? {};
    return (recordings?.unsaved() ?? []).flatMap((id) => this.#logs.get(id)?.description ?? []);
  }

  /**
   * Saves a recording as the JVM made it, or does nothing for another log. `ends`: it is ended before, once the user has
   * chosen a place.
   */
  async saveRecording(id: LogId, dialogs: ClientDialogs | undefined, ends: boolean): Promise<SavedRecording> {
    const log = this.#logs.get(id);
    const recordings = this.jvms?.recordings;
    // A client may not have any other file copied.
    if (log?.description.isRecording !== true) return { messages: [], isSaved: false };
    const end = async (): Promise<void> => {
      await recordings?.finish(id);
      if (recordings?.known.get(id)?.state !== 'followed') await log.untilEnded(READ_END_WITHIN_MS);
    };
    const saved = await saveRecording(log, this.downloads, dialogs, ends ? end : undefined);
    if (saved.isSaved) recordings?.noteSaved(id);
    return saved;
  }

  /** The file of this log does not grow any more: its thread ends when every client has everything. */
  finish(id: LogId): void {
    this.#logs.get(id)?.finish();
  }

  logs(): readonly LogDescription[] {
    return [...this.#logs.values()].map((log) => log.description);
  }

  /** Undefined if it is no longer open. */
  logOf(id: LogId): OpenLog | undefined {
    return this.#logs.get(id);
  }

  /**
   * The paths of all logs that can be opened again, as the user named them: a link stays one. Not those of recordings in
   * JVMs.
   */
  paths(): readonly string[] {
    return [...this.#logs.values()].flatMap(({ openedAs }) => openedAs ?? []);
  }

  /** Empties the list of recent files, for every client. */
  forgetRecent(): void {
    this.#options.recentFiles.forget();
    this.#sendRecent();
  }

  /**
   * Serves a client until its transport closes. The client gets every open log: check its access before. Dialogs are
   * required with the capability `openDialog`. Without them, files are offered in `downloads`.
   */
  connectClient(transport: Transport, dialogs?: ClientDialogs): void {
    const id = ++this.#lastClient;
    const client = new ConnectedClient({ id, transport, dialogs }, this.#hello(), {
      onReady: (ready) => {
        this.#prepareThread();
        for (const [log, { status }] of this.#logs) if (status !== undefined) ready.sendStatus(log, status);
        // JDKs and editors are looked for first, so they come a little later.
        void this.#options.sources?.settings().then((settings) => ready.send({ type: 'sources', settings }));
        for (const [log, { sampling, state }] of this.jvms?.recordings.known ?? []) {
          if (sampling !== undefined) ready.send({ type: 'sampling', log, state: sampling });
          if (state !== undefined) ready.send({ type: 'recording', log, state });
        }
      },
      onMessage: (sender, message) => this.#requests.handle(sender, message),
      onDisconnect: () => this.#forgetClient(id),
    });
    this.#clients.set(id, client);
    for (const text of this.#untold.splice(0)) client.send({ type: 'problem', text });
    this.jvms?.recordings.noteClients(this.#clients.size);
  }

  /** Shows a sentence in all windows, or in the first one that connects. */
  tellProblem(text: string): void {
    if (this.#clients.size === 0) this.#untold.push(text);
    else this.sendAll({ type: 'problem', text });
  }

  /** Disconnects all clients and ends all reading. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const client of [...this.#clients.values()]) client.close();
    this.#options.sources?.close();
    this.downloads.close();
    for (const log of this.#logs.values()) void this.#closed.keep(log);
    const logs = new Set([...this.#logs.values(), ...this.#closed]);
    await this.#closed.untilKept();
    const ending = [this.#threads.stop(), ...Array.from(logs, (log) => log.close())];
    if (this.jvms !== undefined) ending.push(this.jvms.stop());
    this.#logs.clear();
    this.#logOfPath.clear();
    await Promise.all(ending);
  }

  /** `openedAs`, `place`: as the user named the file, which may be a link. */
  #openPath(
    realPath: string,
    openedAs: string,
    place: Omit<LogDescription, 'id'>,
    { show, follow = true, again = false, onUnused }: OpenOptions,
  ): LogId | undefined {
    if (this.#isStopped) return undefined;
    const known = this.#logOfPath.get(realPath);
    const knownLog = known === undefined ? undefined : this.#logs.get(known);
    if (knownLog !== undefined && again) {
      if (this.#logsOf(knownLog.path).length >= MOST_OF_ONE_FILE) return undefined;
      return this.#startLog(knownLog.description, knownLog.file, show, knownLog.openedAs);
    }
    if (known !== undefined && knownLog !== undefined) {
      this.sendAll({ type: 'opened', log: knownLog.description, show });
      return known;
    }
    const id = this.#startLog(place, { path: realPath, follow }, show, openedAs);
    this.#logOfPath.set(realPath, id);
    if (onUnused !== undefined) this.#onUnused.set(realPath, onUnused);
    return id;
  }

  /** Each recording is a log of its own, although all recordings of a JVM are in the same folder. */
  #openRecording({ folder, leftOut, chosen, name }: NamedRecording): LogId | undefined {
    if (this.#isStopped) return undefined;
    const worker = { path: folder, follow: true, ...(leftOut === undefined ? {} : { leftOut }) };
    const id = this.#startLog({ name, folder, isRecording: true }, worker, true);
    if (chosen !== undefined) this.#logs.get(id)?.choose(chosen);
    return id;
  }

  /**
   * Opens another log of the same file or recording with these choices, in a tab of its own. Resolves to a sentence if it
   * cannot. Thread dumps have no sample types.
   */
  async openAgain(id: LogId, chosen: Chosen): Promise<string | undefined> {
    const log = this.#logs.get(id);
    const isOfThreadDumps = log?.description.isRecording === true && log.file.leftOut === undefined;
    if (log === undefined || isOfThreadDumps) return undefined;
    const chunks = await log.copyChunks();
    const isClosed = this.#logs.get(id) !== log;
    const isTooMany = this.#logsOf(log.path).length >= MOST_OF_ONE_FILE;
    if (isClosed || isTooMany) {
      void chunks.close();
      return isClosed ? undefined : TOO_MANY_OF_ONE_FILE;
    }
    const { id: first, sameAs = first, ...description } = log.description;
    const again = this.#newLog({ ...description, sameAs }, log.file, log.openedAs, { log, chunks });
    this.jvms?.recordings.share(first, again.description.id);
    again.choose(chosen);
    this.#add(again, true);
    return undefined;
  }

  #startLog(
    place: Omit<LogDescription, 'id'>,
    worker: LogWorkerOptions,
    show: boolean,
    openedAs?: string,
  ): LogId {
    const log = this.#newLog(place, worker, openedAs);
    this.#add(log, show);
    return log.description.id;
  }

  #newLog(
    place: Omit<LogDescription, 'id'>,
    worker: LogWorkerOptions,
    openedAs: string | undefined,
    again?: OpenedAgain,
  ): OpenLog {
    const id = ++this.#lastLog as LogId;
    return new OpenLog({
      startThread: () => this.#threads.take(),
      now: this.#options.now ?? (() => performance.now()),
      onStatus: (status) => this.#tellStatus(id, status),
      onDelta: (subscriber, message) => {
        setLogOfDelta(message, id);
        this.#clients.get(subscriber)?.sendDelta(message);
      },
      description: { ...place, id, name: printable(place.name), folder: printable(place.folder) },
      worker,
      ...(openedAs === undefined ? {} : { openedAs }),
      ...(again === undefined ? {} : { again }),
    });
  }

  #add(log: OpenLog, show: boolean): void {
    const { description } = log;
    this.#logs.set(description.id, log);
    this.sendAll({ type: 'opened', log: description, show });
    if (log.status !== undefined)
      for (const client of this.#clients.values()) client.sendStatus(description.id, log.status);
    this.#options.onLogs?.();
  }

  #tellStatus(id: LogId, status: LogStatus): void {
    const log = this.#logs.get(id);
    if (log === undefined) return;
    // What is not shown is not recorded.
    if (status.state === 'failed') this.jvms?.recordings.end(id);
    // Nobody opens a file again that is no profile.
    const isNoProfile = status.state === 'failed' && status.samples === 0;
    if (isNoProfile && this.#options.recentFiles.remove([log.openedAs ?? ''])) this.#sendRecent();
    for (const client of this.#clients.values()) client.sendStatus(id, status);
    this.#options.onStatus?.(log.description, status);
  }

  /** Shows an open log in every window. */
  show(id: LogId): void {
    const log = this.#logs.get(id);
    if (log !== undefined) this.sendAll({ type: 'opened', log: log.description, show: true });
  }

  /** Starts a spare thread if there are clients and no log: probably a client opens a log next. */
  #prepareThread(): void {
    if (this.#logs.size === 0 && this.#clients.size > 0) this.#threads.prepare();
  }

  #forgetClient(id: SubscriberId): void {
    this.#clients.delete(id);
    for (const log of this.#logs.values()) log.unsubscribe(id);
    this.jvms?.forgetClient(id);
    if (!this.#isStopped) this.jvms?.recordings.noteClients(this.#clients.size);
  }

  sendAll(message: HostMessage): void {
    for (const client of this.#clients.values()) client.send(message);
  }

  #sendRecent(): void {
    this.sendAll({ type: 'recent', files: this.#options.recentFiles.list() });
  }

  #hello(): HostMessage {
    const { version, capabilities, sampleFolder, recentFiles, project } = this.#options;
    return {
      type: 'hello',
      protocol: PROTOCOL_VERSION,
      version,
      run: this.#run,
      capabilities,
      samples: sampleFolder === undefined ? [] : SAMPLE_IDS,
      formats: formatGroups(),
      logs: this.logs(),
      recent: recentFiles.list(),
      ...(project !== undefined && { project }),
    };
  }
}

function placeOf(path: string): Omit<LogDescription, 'id'> {
  return { name: basename(path), folder: dirname(path) };
}
