import type { OpenGunzip } from '../../shared/unpack/unpacker.ts';

/** Node's zlib. Loaded only for gzip: its streams take some five milliseconds to load. */
export const openGunzip: OpenGunzip = async (onBytes) => {
  const { GzipUnpacker } = await import('./gzip.ts');
  return new GzipUnpacker(onBytes);
};
