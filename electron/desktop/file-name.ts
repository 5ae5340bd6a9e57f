/** Names that Windows keeps for devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
/**
 * What some file system refuses (lone halves of surrogate pairs among it), and what turns the reading direction, by
 * which an ending can be disguised.
 */
const UNFIT = /[\p{Cc}\p{Cs}\p{Bidi_Control}/\\:*?"<>|]/gu;
const LONGEST = 200;

/** A name that every file system takes, for the save dialog to suggest. Keeps the ending of a name that is too long. */
export function suggestedFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(UNFIT, '_')
    .replace(/^[\s.]+|[\s.]+$/gu, '');
  const dot = clean.lastIndexOf('.');
  const ending = dot > 0 ? clean.slice(dot).slice(0, 16) : '';
  const stem = ending === '' ? clean : clean.slice(0, dot);
  let fit = stem;
  while (Buffer.byteLength(fit + ending) > LONGEST) fit = [...fit].slice(0, -1).join('');
  const whole = fit + ending;
  if (whole === '') return 'export';
  return DEVICE.test(whole) ? `_${whole}` : whole;
}
