import { randomBytes } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { type FleetOptions, isFleet } from '../fleet/fleet-address.ts';
import { questionTo } from './read-profile.ts';
import type { MergedThreads } from '../../shared/facts/choice.ts';
import type { LogId, LogStatus } from '../../shared/protocol/messages.ts';
import { startServer, type RunningServer } from '../headless/serve.ts';
import { Host } from '../host/host.ts';
import { NoRecorderError } from '../recording/flight-recorder.ts';
import { CAN_ATTACH } from '../jvm/platform.ts';
import type { Jvm } from '../jvm/jvm.ts';
import type { JvmRecording } from '../recording/jvm-recording.ts';
import { localSources } from '../host/host-sources.ts';
import { tellingWriter } from '../host/stored-file.ts';
import { KeptRecordings } from '../host/kept-recordings.ts';
import { RecentFiles } from '../host/recent-files.ts';
import type { TraceForm } from '../../shared/formats/tptp/negotiation.ts';
import { errnoOf } from '../source/source-error.ts';
import { listenForTraces, type TraceListener } from '../source/trace-listener.ts';
import { mergedName, partNames } from '../../shared/merge/part-names.ts';
import { CommandError, type CommandIo, writeMessage } from './io/command-io.ts';
import { listenForOtlp, OTLP_PATH, type OtlpListener } from './otlp-listener.ts';
import { jvmLine, LogProblems, tellServed } from './io/terminal-lines.ts';
import { openBrowser } from './open-browser.ts';
import { programVersion } from '../runtime/program-version.ts';
import { projectOf } from './project-of.ts';

const pathOf = (url: string): string => fileURLToPath(new URL(url, import.meta.url));

// The build bundles this module into a file in dist/electron; the URLs are relative to that folder.
const WORKER = new URL('./log-worker.cjs', import.meta.url);
const PAGE_FOLDER = pathOf('../renderer');
/** The packaged program has the samples outside its archive: see asarUnpack in electron-builder.yml. */
const SAMPLES = pathOf('../assets').replace('app.asar', 'app.asar.unpacked');

/** Logs of datasets and databases -> what waits for their answer. */
type AskedLogs = Map<LogId, (status: LogStatus) => void>;

interface ServeRequest {
  /** `-` is standard input. */
  readonly files: readonly string[];
  /** The questions to files that are a dataset or a database. */
  readonly fleet?: FleetOptions;
  /** The files are shown as one, too, with their threads merged so; undefined: only each by itself. */
  readonly merge?: MergedThreads | undefined;
  /** 0: any free one. */
  readonly port: number;
  readonly opensBrowser: boolean;
  /** Record this JVM, and show the recording as it grows. */
  readonly attach?: AttachRequest;
  /** Pages may list the JVMs of this machine and attach to them. */
  readonly allowsAttach: boolean;
  /** Accept TPTP traces on this port (0: any free one), and request this form. Undefined: accept none. */
  readonly traces: { readonly port: number; readonly wanted: TraceForm } | undefined;
  /** Accept profiles of OpenTelemetry on this port (0: any free one). Undefined: accept none. */
  readonly profiles?: { readonly port: number; readonly hasToken: boolean } | undefined;
  /** Where sources are looked for, besides the settings, and what opens them. */
  readonly sources: { readonly roots: readonly string[]; readonly editor: string | undefined };
}

/** A JVM that is shown, and how. */
export interface AttachRequest {
  readonly jvm: Jvm;
  /** A phrase: 'sampling by thread dumps'. */
  readonly shows: string;
  /** The recording was started for this server, and ends with it. */
  readonly isOwn: boolean;
  /** Starts what is shown: a recording, or a log that the JVM writes anyway, by its path. Rejects with AttachError. */
  start(): Promise<JvmRecording | string>;
}

/** Serves the window until SIGINT, SIGTERM or SIGHUP. Throws CommandError when it cannot start. */
export async function serveUntilStopped(request: ServeRequest, io: CommandIo): Promise<void> {
  const folder = userFolder();
  const problems = new LogProblems(io);
  const asked: AskedLogs = new Map();
  const write = tellingWriter((text) => host.tellProblem(text));
  const host = new Host({
    version: programVersion(),
    capabilities: {
      openDialog: false,
      openDropped: false,
      ...(CAN_ATTACH ? { jvms: request.allowsAttach ? 'allowed' : 'option' } : {}),
    },
    workerUrl: WORKER,
    sampleFolder: SAMPLES,
    recentFiles: new RecentFiles(folder, write),
    keptRecordings: new KeptRecordings(join(folder, 'recordings')),
    onStatus: (log, status) => {
      const answer = asked.get(log.id);
      if (answer === undefined) problems.hear(log, status);
      else if (status.state !== 'reading') answer(status);
    },
    ...(CAN_ATTACH ? { jvms: { isAllowed: request.allowsAttach } } : {}),
    project: projectOf(undefined),
    sources: localSources({ settingsFolder: folder, write, ...request.sources }),
  });
  const stopped = untilSignal();
  let server: RunningServer | undefined;
  let listener: TraceListener | undefined;
  let profiles: (OtlpListener & { readonly folder: string }) | undefined;
  let spool: string | undefined;
  const spooling = new AbortController();
  let closeBrowserFile: (() => void) | undefined;
  try {
    server = await startServer({ host, rendererFolder: PAGE_FOLDER, port: request.port }).catch(
      (error: unknown) => {
        throw startError(request.port, '--port 0', error);
      },
    );
    if (request.files.includes('-')) spool = mkdtempSync(join(tmpdir(), 'leanscope-'));
    if (spool !== undefined) {
      const input = io.stdin();
      // It is there from the beginning: nothing waits for it.
      writeFileSync(inputIn(spool), '', { mode: 0o600 });
      void copyInput(input, inputIn(spool), io, spooling.signal);
    }
    if (request.traces !== undefined) listener = await listen(request.traces, host, io);
    const token = request.profiles?.hasToken === true ? otlpToken() : undefined;
    if (request.profiles !== undefined)
      profiles = await listenForProfiles(request.profiles.port, token, host);
    const opened = await openFiles(request, spool, host, { asked, stopped });
    const merged = request.merge === undefined ? '' : mergedFragment(host, opened, request.merge);
    if (request.attach !== undefined) await showJvm(request.attach, host);
    io.stdout(`Leanscope: ${server.url}${merged}\n`);
    if (listener !== undefined) io.stdout(`Leanscope: traces to 127.0.0.1:${listener.port}\n`);
    if (profiles !== undefined) {
      io.stdout(`Leanscope: profiles to http://127.0.0.1:${profiles.port}${OTLP_PATH}\n`);
      if (token !== undefined) io.stdout(`Leanscope: with the header Authorization: Bearer ${token}\n`);
    }
    if (request.attach !== undefined && io.showsProgress)
      writeMessage(io, `${jvmLine(request.attach.jvm)}: ${request.attach.shows}`);
    tellServed(server.port, stoppedOf(request.attach), io);
    if (request.opensBrowser) closeBrowserFile = openBrowser(`${server.createOnceUrl()}${merged}`, folder);
    await stopped;
  } finally {
    await server?.close();
    await listener?.close();
    await profiles?.close();
    await host.stop();
    closeBrowserFile?.();
    spooling.abort();
    if (profiles !== undefined) rmSync(profiles.folder, { recursive: true, force: true });
    if (spool !== undefined) rmSync(spool, { recursive: true, force: true });
  }
}

/** Rejects with CommandError for a dataset or a database that does not answer, or refuses. */
async function openFiles(
  { files, fleet }: ServeRequest,
  spool: string | undefined,
  host: Host,
  { asked, stopped }: { readonly asked: AskedLogs; readonly stopped: Promise<void> },
): Promise<LogId[]> {
  const opened: LogId[] = [];
  for (const [at, file] of files.entries()) {
    const show = at === 0;
    const log =
      file === '-' && spool !== undefined
        ? await host.open(inputIn(spool), { show, remember: false })
        : await host.open(isFleet(file) ? questionTo(file, fleet) : file, { show });
    if (log === undefined) continue;
    opened.push(log);
    if (!isFleet(file)) continue;
    const answered = new Promise<LogStatus>((resolve) => void asked.set(log, resolve));
    const status = await Promise.race([answered, stopped]);
    asked.delete(log);
    if (status?.state === 'failed')
      throw new CommandError(status.detail?.replace(/\.$/, '') ?? 'does not answer');
  }
  return opened;
}

/** The fragment of an address that shows these logs as one, too: the window merges them. */
function mergedFragment(host: Host, opened: readonly LogId[], threads: MergedThreads): string {
  const logs = host.logs().filter(({ id }) => opened.includes(id));
  const parts = partNames(logs.map(({ folder, name }) => `${folder}/${name}`));
  const fields = [['log', mergedName(parts)], ['merged', threads], ...parts.map((part) => ['part', part])];
  return `#${fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** Rejects with UserError. */
async function showJvm(request: AttachRequest, host: Host): Promise<void> {
  const source = await request.start().catch((error: unknown) => {
    if (error instanceof NoRecorderError)
      throw new CommandError(`${error.message}; sample its threads --with dumps`);
    throw error;
  });
  if (typeof source === 'string') await host.open(source, { show: true });
  else await host.jvms?.recordings.open(request.jvm, source, true);
}

function stoppedOf(request: AttachRequest | undefined): string {
  if (request === undefined) return 'the server';
  return request.isOwn ? 'the server and the recording' : 'the server, and leaves the JVM as it is';
}

const inputIn = (spool: string): string => join(spool, 'standard-input.hpl');

/**
 * Copies standard input to a file, so that it can be followed like any other log, and read again with other choices.
 * Never rejects: after an error, usually a full disk, the bytes copied so far are shown.
 */
async function copyInput(input: Readable, path: string, io: CommandIo, ended: AbortSignal): Promise<void> {
  try {
    await pipeline(input, createWriteStream(path, { mode: 0o600 }), { signal: ended });
  } catch (error) {
    if (ended.aborted) return;
    const why = errnoOf(error) ?? String(error);
    writeMessage(io, `standard input: cannot be saved any further (${why}); what came before is shown`);
  }
}

async function listen(
  { port, wanted }: { readonly port: number; readonly wanted: TraceForm },
  host: Host,
  io: CommandIo,
): Promise<TraceListener> {
  return listenForTraces({
    port,
    wanted,
    onTrace: async (path, discard) => {
      const log = await host.open(path, { show: true, remember: false, onUnused: discard });
      return () => {
        if (log !== undefined) host.finish(log);
      };
    },
    onProblem: (problem) => writeMessage(io, `a connection for traces ${problem}`),
  }).catch((error: unknown) => {
    throw startError(port, '--listen-trace 0', error);
  });
}

/** The token that senders of profiles need: that of the environment, or a new one for each start. */
function otlpToken(): string {
  const { LEANSCOPE_OTLP_TOKEN: given = '' } = process.env;
  return given === '' ? randomBytes(16).toString('hex') : given;
}

async function listenForProfiles(
  port: number,
  token: string | undefined,
  host: Host,
): Promise<OtlpListener & { readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'leanscope-'));
  const onService = (path: string): void => void host.open(path, { show: true, remember: false });
  try {
    return { ...(await listenForOtlp({ port, token, folder, onService })), folder };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw startError(port, '--listen-otlp 0', error);
  }
}

/** Resolves at the first signal. The same signal again ends the process at once, in case stopping hangs. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        resolve();
      });
    }
  });
}

/** `anyFree`: the option that selects any free port. */
function startError(port: number, anyFree: string, error: unknown): unknown {
  switch (errnoOf(error)) {
    case 'EADDRINUSE':
      return new CommandError(
        `port ${port}: is in use by another program, perhaps a Leanscope that still runs; choose another one, or any free one with ${anyFree}`,
      );
    case 'EACCES':
      return new CommandError(
        `port ${port}: may not be used by this user; choose another one, or any free one with ${anyFree}`,
      );
    case 'ENOENT':
      return new CommandError(`${PAGE_FOLDER}: is missing; build the window first (npm run build)`);
    default:
      return error;
  }
}

/** The settings folder: the same one as Electron's userData, which the desktop window uses. */
function userFolder(): string {
  const { env, platform } = process;
  const folder =
    platform === 'win32'
      ? (env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(homedir(), 'Library', 'Application Support')
        : env.XDG_CONFIG_HOME !== undefined && env.XDG_CONFIG_HOME !== ''
          ? env.XDG_CONFIG_HOME
          : join(homedir(), '.config');
  return join(folder, 'Leanscope');
}
