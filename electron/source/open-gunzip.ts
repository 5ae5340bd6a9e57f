import type { OpenGunzip } from '../../shared/unpack/unpacker.ts';

/** Uses Node's zlib. It is loaded only when needed, because its streams take about five milliseconds to load. */
export const openGunzip: OpenGunzip = async (onBytes) => {
  const { GzipUnpacker } = await import('./gzip.ts');
  return new GzipUnpacker(onBytes);
};
