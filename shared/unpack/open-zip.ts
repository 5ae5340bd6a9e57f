import type { Accepts } from './zip-entry.ts';
import type { ZipUnpacker } from './zip.ts';

/** Loads the unpacker, for archives alone: its inflater makes tables as it loads, which takes some ten milliseconds. */
export async function openZip(accepts: Accepts, onBytes: (bytes: Uint8Array) => void): Promise<ZipUnpacker> {
  const { ZipUnpacker } = await import('./zip.ts');
  return new ZipUnpacker(accepts, onBytes);
}
