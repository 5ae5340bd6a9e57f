/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
/**
 * Characters that some file system rejects, lone surrogates among them, and bidirectional controls, which can disguise
 * an extension.
 */
const UNFIT = /[\p{Cc}\p{Cs}\p{Bidi_Control}/\\:*?"<>|]/gu;
const LONGEST = 200;

const ENDING = /\.[a-z\d]{1,10}$/iu;

/** A name valid on every file system, suggested by the save dialog. A name that is too long keeps its extension. */
export function suggestedFileName(name: string): string {
  const clean = name.replace(UNFIT, '_').replace(/^[\s.]+|[\s.]+$/gu, '');
  const ending = ENDING.exec(clean)?.[0] ?? '';
  let stem = clean.slice(0, clean.length - ending.length);
  while (Buffer.byteLength(stem + ending) > LONGEST) stem = stem.replace(/.$/u, '');
  const whole = stem + ending;
  if (whole === '') return 'export';
  return DEVICE.test(whole) ? `_${whole}` : whole;
}
