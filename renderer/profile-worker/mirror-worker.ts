import { flameBuffers } from '../../shared/views/flame-columns.ts';
import { Mirror } from './mirror.ts';
import type { MirrorEvent, MirrorRequest } from './mirror-messages.ts';

/** Entry of the profile's Web Worker: passes messages between the window and a `Mirror`. */
declare const self: DedicatedWorkerGlobalScope;

/** What one request or refresh brought about goes as one message, so that the window draws it once. */
let pending: MirrorEvent[] = [];

function post(event: MirrorEvent): void {
  if (pending.length === 0) queueMicrotask(flush);
  pending.push(event);
  // The host waits for the one, and the first picture may take a while; the other tells of work that is going on.
  if (event.type === 'applied' || event.type === 'exporting') flush();
}

function flush(): void {
  if (pending.length > 0) self.postMessage(pending, pending.flatMap(buffersOf));
  pending = [];
}

/** What an event gives away instead of copying it. */
function buffersOf(event: MirrorEvent): ArrayBuffer[] {
  if (event.type === 'exportSource') return event.source.profile;
  return event.type === 'flame' ? flameBuffers(event.layout) : [];
}

const mirror = new Mirror(post);
/** A file that is read anew, as chosen otherwise, is not read on as before. */
let reading = new AbortController();

/** Writers of every format: a worker that looks at a profile never needs one. */
async function write({ source }: MirrorRequest & { type: 'write' }): Promise<void> {
  const { runExport } = await import('./run-export.ts');
  runExport(source, post);
}

/** Decoders of every format: most windows never need one, because the host has read the file. */
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
      else if (request.type === 'write') void write(request).catch(fail);
      else mirror.handle(request);
    } catch (error) {
      // What comes behind it is still wanted.
      errors.push(error);
    }
  }
  if (errors.length > 0) fail(errors[0]);
};
