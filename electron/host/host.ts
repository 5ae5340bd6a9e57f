import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { assertNever } from '../../shared/assert.ts';
import { addressDelta } from '../../shared/protocol/delta-message.ts';
import {
  type Capabilities,
  type ClientMessage,
  type FileEntry,
  type FileId,
  type HostMessage,
  type LogDescription,
  type LogId,
  PROTOCOL_VERSION,
  SAMPLE_IDS,
  type SampleId,
} from '../../shared/protocol/messages.ts';
import type { Transport } from '../../shared/protocol/transport.ts';
import type { SubscriberId } from '../worker/worker-messages.ts';
import { ConnectedClient } from './connected-client.ts';
import { LogThreads } from './log-threads.ts';
import { OpenLog } from './open-log.ts';
import { sampleIn } from './samples.ts';

/** What the host asks of its list of recent files; `RecentFiles` keeps it on disk. */
export interface RecentFileList {
  list(): readonly FileEntry[];
  pathOf(id: FileId): string | undefined;
  add(path: string): void;
  forget(): void;
}

export interface HostOptions {
  readonly version: string;
  readonly capabilities: Capabilities;
  /** The built log worker. */
  readonly workerUrl: URL;
  /** Where the recordings are that come with the program; undefined without any. */
  readonly sampleFolder: string | undefined;
  readonly recentFiles: RecentFileList;
  /** Shows the system's file dialog; the chosen paths. Needed with the capability of that name. */
  readonly openDialog?: () => Promise<readonly string[]>;
}

export interface OpenOptions {
  /** Clients should turn to it: it was asked for just now. */
  readonly show: boolean;
  /** Goes on reading at the end of the file; true when not given. */
  readonly follow?: boolean;
  /** Puts it among the recent files; true when not given. A file that ends with the program is none. */
  readonly remember?: boolean;
}

/** Opens logs and serves clients; the same for the desktop and for `leanscope serve`. */
export interface Host {
  /**
   * Resolves at once; what becomes of the file is told by its status. A file that is open is shown, not read again.
   * Undefined when the host was stopped meanwhile: nothing is opened any more.
   */
  open(path: string, options: OpenOptions): Promise<LogId | undefined>;
  /** Undefined without samples, or as with `open`. */
  openSample(sample: SampleId, options: OpenOptions): Promise<LogId | undefined>;
  close(log: LogId): void;
  logs(): readonly LogDescription[];
  /** Empties the list of recent files, for every client. */
  forgetRecent(): void;
  /** Serves a client until its transport closes. Only for transports whose other end may see every open log. */
  connectClient(transport: Transport): void;
  /** Puts all clients out and ends all reading. */
  stop(): Promise<void>;
}

export function createHost(options: HostOptions): Host {
  const { recentFiles } = options;
  const logs = new Map<LogId, OpenLog>();
  const logOfPath = new Map<string, LogId>();
  const clients = new Map<SubscriberId, ConnectedClient>();
  const threads = new LogThreads(options.workerUrl);
  let lastLog = -1;
  let lastClient = 0;
  let isStopped = false;

  /** A window without a log is about to open one. */
  const prepare = (): void => {
    if (logs.size === 0 && clients.size > 0) threads.prepare();
  };

  const tellAll = (message: HostMessage): void => {
    for (const client of clients.values()) client.send(message);
  };

  const openPath = (
    realPath: string,
    name: string,
    { show, follow = true }: OpenOptions,
  ): LogId | undefined => {
    if (isStopped) return undefined;
    const known = logOfPath.get(realPath);
    const knownLog = known === undefined ? undefined : logs.get(known);
    if (known !== undefined && knownLog !== undefined) {
      tellAll({ type: 'opened', log: knownLog.description, show });
      return known;
    }
    const id = ++lastLog as LogId;
    const log = new OpenLog({
      description: { id, name, folder: dirname(realPath) },
      worker: { path: realPath, follow },
      startThread: () => threads.take(),
      onStatus: (status) => {
        for (const client of clients.values()) client.sendStatus(id, status);
      },
      onDelta: (subscriber, message) => {
        addressDelta(message, id);
        clients.get(subscriber)?.sendDelta(message);
      },
    });
    logs.set(id, log);
    logOfPath.set(realPath, id);
    tellAll({ type: 'opened', log: log.description, show });
    return id;
  };

  const open = async (path: string, openOptions: OpenOptions): Promise<LogId | undefined> => {
    const absolute = resolve(path);
    // Links are followed so that one file is one log; a file that is not there yet has no real path.
    const realPath = await realpath(absolute).catch(() => undefined);
    const id = openPath(realPath ?? absolute, basename(absolute), openOptions);
    if (id !== undefined && realPath !== undefined && openOptions.remember !== false) {
      recentFiles.add(absolute);
      tellAll({ type: 'recent', files: recentFiles.list() });
    }
    return id;
  };

  const openSample = async (id: SampleId, openOptions: OpenOptions): Promise<LogId | undefined> => {
    if (options.sampleFolder === undefined) return undefined;
    const { path, name } = sampleIn(resolve(options.sampleFolder), id);
    const realPath = await realpath(path).catch(() => path);
    return openPath(realPath, name, { ...openOptions, follow: false });
  };

  const close = (id: LogId): void => {
    const log = logs.get(id);
    if (log === undefined) return;
    logs.delete(id);
    for (const [path, open] of logOfPath) if (open === id) logOfPath.delete(path);
    for (const client of clients.values()) client.forget(id);
    void log.close().then(prepare);
    tellAll({ type: 'closed', log: id });
  };

  const openChosen = async (client: ConnectedClient): Promise<void> => {
    if (options.openDialog === undefined) {
      client.send({ type: 'problem', text: 'There is no file dialog here. Drop a file onto the window.' });
      return;
    }
    for (const path of await options.openDialog()) await open(path, { show: true });
  };

  const openRecent = async (client: ConnectedClient, file: FileId): Promise<void> => {
    const path = recentFiles.pathOf(file);
    if (path !== undefined) {
      await open(path, { show: true });
      return;
    }
    client.send({
      type: 'problem',
      text: 'This file is no longer in the list of recent files. Open it again.',
    });
    client.send({ type: 'recent', files: recentFiles.list() });
  };

  const showSample = async (client: ConnectedClient, sample: SampleId): Promise<void> => {
    await openSample(sample, { show: true });
    if (options.sampleFolder === undefined)
      client.send({ type: 'problem', text: 'There are no samples here.' });
  };

  /** Tells the client when what it asked for did not work. */
  const attempt = (client: ConnectedClient, work: Promise<void>): void => {
    work.catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      client.send({ type: 'problem', text: `The file was not opened: ${reason}` });
    });
  };

  const forgetRecent = (): void => {
    recentFiles.forget();
    tellAll({ type: 'recent', files: recentFiles.list() });
  };

  const handle = (
    client: ConnectedClient,
    message: Exclude<ClientMessage, { readonly type: 'hello' }>,
  ): void => {
    switch (message.type) {
      case 'openDialog':
        attempt(client, openChosen(client));
        break;
      case 'openSample':
        attempt(client, showSample(client, message.sample));
        break;
      case 'openRecent':
        attempt(client, openRecent(client, message.file));
        break;
      case 'forgetRecent':
        forgetRecent();
        break;
      case 'close':
        close(message.log);
        break;
      // A log may have been closed while the message was under way.
      case 'follow':
        logs.get(message.log)?.follow(client.id);
        break;
      case 'unfollow':
        logs.get(message.log)?.unfollow(client.id);
        break;
      case 'choose':
        logs.get(message.log)?.choose(message.chosen);
        break;
      case 'ack':
        logs.get(message.log)?.acknowledge({
          type: 'ack',
          subscriber: client.id,
          epoch: message.epoch,
          revision: message.revision,
        });
        break;
      default:
        assertNever(message, 'message of a client');
    }
  };

  const run = randomUUID();
  const greeting = (): HostMessage => ({
    type: 'hello',
    protocol: PROTOCOL_VERSION,
    version: options.version,
    run,
    capabilities: options.capabilities,
    samples: options.sampleFolder === undefined ? [] : SAMPLE_IDS,
    logs: [...logs.values()].map((log) => log.description),
    recent: recentFiles.list(),
  });

  const connectClient = (transport: Transport): void => {
    const id = ++lastClient;
    const client = new ConnectedClient(id, transport, greeting(), {
      onGreeted: () => {
        prepare();
        for (const [log, { status }] of logs) if (status !== undefined) client.sendStatus(log, status);
      },
      onMessage: handle,
      onGone: () => {
        clients.delete(id);
        for (const log of logs.values()) log.unfollow(id);
      },
    });
    clients.set(id, client);
  };

  return {
    open,
    openSample,
    close,
    logs: () => [...logs.values()].map((log) => log.description),
    forgetRecent,
    connectClient,
    stop: async () => {
      isStopped = true;
      for (const client of [...clients.values()]) client.close();
      const ending = [threads.stop(), ...[...logs.values()].map((log) => log.close())];
      logs.clear();
      logOfPath.clear();
      await Promise.all(ending);
    },
  };
}
