import { flameBuffers } from '../../shared/engine/views/flame-columns.ts';
import { stopExpressions, watchExpressions } from '../../shared/text/expression.ts';
import { Mirror } from './mirror.ts';
import type {
  MirrorEvent,
  MirrorRequest,
  WorkerMessage,
  WorkerRequest,
  ExportSource,
  Post,
} from './mirror-messages.ts';
import { SharedProfiles, unpackProfile } from './shared-profiles.ts';
import { Engine } from '../../shared/engine/engine.ts';
import {
  type CompareFormatId,
  compareFormat,
  COMPARE_FORMATS,
  loadComparison,
} from '../../shared/export/compare-list.ts';
import { EXPORT_FORMATS } from '../../shared/export/export-list.ts';
import { exportFormat, loadExport, mediaTypeOf } from '../../shared/export/export-formats.ts';
import type { OutputSink } from '../../shared/export/export-input.ts';
import { type AskedQuery, comparisonOf, exportOf, notCompared } from '../../shared/export/export-view.ts';

declare const self: DedicatedWorkerGlobalScope;

/** Loads the code that reads files which only the browser can reach. Most windows never need it. */
type LoadReader = () => Promise<typeof import('./read-local-file.ts')>;

const profiles = new SharedProfiles();
const logs = new Map<string, OpenLog>();
let loadReader: LoadReader | undefined;

/** A log of the window, with its mirror. */
class OpenLog {
  readonly #log: string;
  readonly #mirror: Mirror;
  /** All events of one request or refresh are posted as one message, so that the window draws once. */
  #pending: MirrorEvent[] = [];
  /** Aborted when the file is read again with other choices. */
  #reading = new AbortController();
  #isClosed = false;

  constructor(log: string) {
    this.#log = log;
    this.#mirror = new Mirror((event) => this.#post(event), { log, profiles });
  }

  /** Handles requests in their order. When one fails, later ones are still handled. */
  handle(requests: readonly MirrorRequest[]): void {
    for (const request of requests) {
      try {
        if (request.type === 'readFile') void this.#readFile(request).catch(this.#fail);
        // The export itself tries again, and says why it fails.
        else if (request.type === 'loadWriters') void loadWriters().catch(() => undefined);
        else if (request.type === 'write') void this.#write(request);
        else if (request.type === 'runs') void this.#compareRuns(request).catch(this.#fail);
        else this.#mirror.handle(request);
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#reading.abort();
    this.#mirror.close();
  }

  #post(event: MirrorEvent): void {
    if (this.#pending.length === 0) queueMicrotask(() => this.#flush());
    this.#pending.push(event);
    // Not batched: the host waits for `applied`, and `exporting` is sent while its request is still running.
    if (event.type === 'applied' || event.type === 'exporting') this.#flush();
  }

  #flush(): void {
    const events = this.#pending;
    this.#pending = [];
    if (events.length === 0 || this.#isClosed) return;
    const message: WorkerMessage = { log: this.#log, events };
    self.postMessage(message, events.flatMap(buffersOf));
  }

  readonly #fail = (error: unknown): void => {
    this.#post({ type: 'failed', text: errorText(error) });
  };

  async #write({ source }: MirrorRequest & { type: 'write' }): Promise<void> {
    try {
      await runExport(source, (event) => this.#post(event));
    } catch (error) {
      this.#post({ type: 'exportFailed', id: source.job.id, text: errorText(error) });
    }
  }

  async #compareRuns(question: MirrorRequest & { type: 'runs' }): Promise<void> {
    const { runReport } = await import('./run-report.ts');
    this.#post({ type: 'runs', report: runReport(question, (log) => profiles.get(log)) });
  }

  async #readFile({ file, chosen }: MirrorRequest & { type: 'readFile' }): Promise<void> {
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    const reader = await loadReader?.();
    const post = (event: MirrorEvent): void => this.#post(event);
    if (!signal.aborted) await reader?.readLocalFile(file, chosen, this.#mirror, post, signal);
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Buffers of an event that are transferred instead of copied. */
function buffersOf(event: MirrorEvent): ArrayBuffer[] {
  if (event.type === 'exportSource') return [...event.source.profile, ...(event.source.base ?? [])];
  return event.type === 'flame' ? flameBuffers(event.layout) : [];
}

/** Passes messages between the window and the mirrors of all logs, in a Web Worker. `load` undefined: it reads no files. */
export function serveMirrors(load: LoadReader | undefined): void {
  loadReader = load;
  watchExpressions((matching) => self.postMessage({ matching } satisfies WorkerMessage));
  self.onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
    if ('stopped' in data) return void stopExpressions(data.stopped);
    const { log, requests } = data;
    let open = logs.get(log);
    if (requests === 'close') {
      open?.close();
      logs.delete(log);
      return;
    }
    if (open === undefined) logs.set(log, (open = new OpenLog(log)));
    open.handle(requests);
  };
}

/** Pieces of 64 KiB go to the browser, which may keep them on disk, 8 MiB at a time. */
const PIECES_KEPT = 128;
const REPORTED_SHARE = 0.01;

/**
 * Writes what the window shows, with the writers of the command line, and posts it as a file. Runs in a worker of its
 * own, which can be ended at any moment, because nothing else is answered until the file is written.
 */
export async function runExport(source: ExportSource, post: Post): Promise<void> {
  const { job } = source;
  const parts: Blob[] = [];
  let pieces: BlobPart[] = [];
  let reported = 0;
  const sink: OutputSink = (piece, share) => {
    pieces.push(piece as BlobPart);
    if (pieces.length === PIECES_KEPT) {
      parts.push(new Blob(pieces));
      pieces = [];
    }
    if (share < reported + REPORTED_SHARE) return;
    reported = share;
    post({ type: 'exporting', id: job.id, share });
  };
  const { compared, format } = job;
  const notes = await (compared === undefined
    ? writeProfile(source, sink)
    : writeCompared(compared, source, sink));
  const written = compared === undefined ? exportFormat(format) : compareFormat(compared);
  const content = new Blob([...parts, ...pieces], { type: mediaTypeOf(written) });
  post({ type: 'exported', id: job.id, name: job.fileName, content, notes });
}

/** Loads the writers of all formats, so that a file can be written when the host does not serve them any more. */
async function loadWriters(): Promise<void> {
  const formats = [...EXPORT_FORMATS, ...COMPARE_FORMATS].map(async ({ load }) => load());
  await Promise.all([...formats, import('./run-report.ts')]);
}

/** Writes what is in scope. Returns what was left out. */
async function writeProfile(source: ExportSource, sink: OutputSink): Promise<readonly string[]> {
  const { job } = source;
  const { theme, colourBy, orientation, pixels, isBottomUp } = job;
  const drawing = { theme, colourBy, orientation, pixels, isBottomUp, root: job.zoom };
  const write = await loadExport(job.format);
  const { input, notes } = exportOf(askedBy(source), job.format, { ...job, drawing });
  return [...write(input, sink), ...notes()];
}

/** Writes both sides of the comparison. */
async function writeCompared(
  format: CompareFormatId,
  source: ExportSource,
  sink: OutputSink,
): Promise<readonly string[]> {
  const { job } = source;
  const write = await loadComparison(format);
  const written = comparisonOf(askedBy(source), format, job);
  const stopped = write(written, sink);
  return [
    ...(stopped === undefined ? [] : [stopped]),
    ...notCompared(written.input.by, format),
    ...(job.zoom === undefined ? [] : ['everything in scope is compared, not only the zoom']),
  ];
}

function askedBy({ profile, base, query }: ExportSource): AskedQuery {
  const engine = new Engine();
  engine.add('log', unpackProfile(profile));
  const other = query.comparison?.baseline.log;
  if (other !== undefined && base !== undefined) engine.add(other, unpackProfile(base));
  return { engine, log: 'log', query };
}
