/** Names that Windows reserves for devices, without or with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
/**
 * Characters that some file systems reject (including lone surrogates), and bidirectional controls, which can make a
 * name appear to have another extension.
 */
const INVALID = /[\p{Cc}\p{Cs}\p{Bidi_Control}/\\:*?"<>|]/gu;
const LONGEST = 200;

const ENDING = /\.[a-z\d]{1,10}$/iu;

/** The file name that the save dialog suggests: valid on every file system. A name that is too long keeps its extension. */
export function suggestedFileName(name: string): string {
  const clean = name.replace(INVALID, '_').replace(/^[\s.]+|[\s.]+$/gu, '');
  const ending = ENDING.exec(clean)?.[0] ?? '';
  let stem = clean.slice(0, clean.length - ending.length);
  while (Buffer.byteLength(stem + ending) > LONGEST) stem = stem.replace(/.$/u, '');
  const whole = stem + ending;
  if (whole === '') return 'export';
  return DEVICE.test(whole) ? `_${whole}` : whole;
}
