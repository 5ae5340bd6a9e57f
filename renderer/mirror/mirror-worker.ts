import { Mirror } from './mirror.ts';
import type { MirrorEvent, MirrorRequest } from './mirror-messages.ts';
import { readLocalFile } from './read-local-file.ts';

/** Entry of the mirror's Web Worker: moves messages, nothing else. */
declare const self: DedicatedWorkerGlobalScope;

const post = (event: MirrorEvent): void => self.postMessage(event);
const mirror = new Mirror(post);

self.onmessage = ({ data }: MessageEvent<MirrorRequest>) => {
  try {
    if (data.type === 'readFile') void readLocalFile(data.file, mirror, post);
    else mirror.handle(data);
  } catch (error) {
    post({ type: 'failed', text: error instanceof Error ? error.message : String(error) });
    throw error;
  }
};
