import { DETECTION_BYTES, detectFormat } from './detect-format.ts';
import { FORMATS, formatOf } from './formats.ts';
import type { ProfileFormat } from './profile-format.ts';

/**
 * Loads what may be needed to read an input that begins with `head`: the decoder of its format, or all of them where
 * these bytes do not tell it. `head` is what is read first, and undefined for a packed input, whose format shows only
 * when it is unpacked. Returns undefined when all that is there already: then nobody need wait.
 */
export function loadDecoders(head: Uint8Array | undefined): Promise<void> | undefined {
  const missing = formatsThatBegin(head).filter(({ code }) => !code.isLoaded);
  if (missing.length === 0) return undefined;
  return Promise.all(missing.map(({ code }) => code.load())).then(() => undefined);
}

function formatsThatBegin(head: Uint8Array | undefined): readonly ProfileFormat[] {
  const detected = head === undefined ? undefined : detectFormat(head.subarray(0, DETECTION_BYTES), false);
  if (detected === undefined) return FORMATS;
  return detected.format === undefined ? [] : [formatOf(detected.format)];
}
