import { createReadStream, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Downloads } from '../host/downloads.ts';

/** Path of the files that the host has made for a page; the id follows. */
export const DOWNLOAD_PATH = '/download/';

/** Sends a file once, and removes it. Returns a status to refuse with, or undefined. */
export function sendDownload(
  downloads: Downloads | undefined,
  path: string,
  response: ServerResponse,
): number | undefined {
  const file = downloads?.take(path.slice(DOWNLOAD_PATH.length));
  if (file === undefined) return 404;
  let size;
  try {
    ({ size } = statSync(file.path));
  } catch {
    // Somebody has removed it, as programs that clean /tmp do.
    file.remove();
    return 404;
  }
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': size,
    'Content-Disposition': `attachment; filename="${file.name}"`,
  });
  const stream = createReadStream(file.path);
  stream.on('error', () => response.destroy());
  response.on('close', () => {
    stream.destroy();
    file.remove();
  });
  stream.pipe(response);
  return undefined;
}
