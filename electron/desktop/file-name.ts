/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
/**
 * What some file system refuses (lone halves of surrogate pairs among it), and what turns the reading direction, by
 * which an ending can be disguised.
 */
const UNFIT = /[\p{Cc}\p{Cs}\p{Bidi_Control}/\\:*?"<>|]/gu;
const LONGEST = 200;

const ENDING = /\.[a-z\d]{1,10}$/iu;

/** A name that every file system takes, for the save dialog to suggest. Keeps the ending of a name that is too long. */
export function suggestedFileName(name: string): string {
  const clean = name.replace(UNFIT, '_').replace(/^[\s.]+|[\s.]+$/gu, '');
  const ending = ENDING.exec(clean)?.[0] ?? '';
  let stem = clean.slice(0, clean.length - ending.length);
  while (Buffer.byteLength(stem + ending) > LONGEST) stem = stem.replace(/.$/u, '');
  const whole = stem + ending;
  if (whole === '') return 'export';
  return DEVICE.test(whole) ? `_${whole}` : whole;
}
