import { flameBuffers } from '../../shared/views/flame-columns.ts';
import { Mirror } from './mirror.ts';
import type { MirrorEvent, MirrorRequest } from './mirror-messages.ts';

/** Entry of the profile's Web Worker: passes messages between the window and a `Mirror`. */
declare const self: DedicatedWorkerGlobalScope;

/** All events of one request or refresh are posted as one message, so that the window draws once. */
let pending: MirrorEvent[] = [];

function post(event: MirrorEvent): void {
  if (pending.length === 0) queueMicrotask(flush);
  pending.push(event);
  // Not batched: the host waits for `applied`, and `exporting` is sent while its request is still running.
  if (event.type === 'applied' || event.type === 'exporting') flush();
}

function flush(): void {
  if (pending.length > 0) self.postMessage(pending, pending.flatMap(buffersOf));
  pending = [];
}

/** Buffers of an event that are transferred instead of copied. */
function buffersOf(event: MirrorEvent): ArrayBuffer[] {
  if (event.type === 'exportSource') return [...event.source.profile, ...(event.source.base ?? [])];
  if (event.type === 'lent') return event.lent?.messages ?? [];
  return event.type === 'flame' ? flameBuffers(event.layout) : [];
}

const mirror = new Mirror(post);
/** Aborted when the file is read again with other choices. */
let reading = new AbortController();

/** Loads the writers of all formats: a worker with panes never needs them. */
const loadWriters = (): Promise<typeof import('./run-export.ts')> => import('./run-export.ts');

async function write({ source }: MirrorRequest & { type: 'write' }): Promise<void> {
  (await loadWriters()).runExport(source, post);
}

/** Loads the decoders: most windows never need them, because the host reads the file. */
async function readFile({ file, chosen }: MirrorRequest & { type: 'readFile' }): Promise<void> {
  reading.abort();
  const { signal } = (reading = new AbortController());
  const { readLocalFile } = await import('./read-local-file.ts');
  if (!signal.aborted) await readLocalFile(file, chosen, mirror, post, signal);
}

function fail(error: unknown): never {
  post({ type: 'failed', text: error instanceof Error ? error.message : String(error) });
  throw error;
}

self.onmessage = ({ data }: MessageEvent<readonly MirrorRequest[]>) => {
  const errors: unknown[] = [];
  for (const request of data) {
    try {
      if (request.type === 'readFile') void readFile(request).catch(fail);
      else if (request.type === 'loadWriters') void loadWriters().catch(fail);
      else if (request.type === 'write') void write(request).catch(fail);
      else mirror.handle(request);
    } catch (error) {
      // Later requests are still handled.
      errors.push(error);
    }
  }
  if (errors.length > 0) fail(errors[0]);
};
