import { PATTERN_TEXTS } from '../engine/views/time-pattern.ts';
import { formatCount, formatShare, formatShareRange, rangeText } from '../text/format-value.ts';
import { printable } from '../text/printable.ts';
import type { Finding, FindingLevel, FindingsAnswer, GrownFinding } from './finding.ts';

/** Findings for people. Each has its share with its interval, the program's own frame, and when it must not be believed. */
export function findingsText(
  { findings, checked, notAssessed, suppressed }: FindingsAnswer,
  levels: Readonly<Record<FindingLevel, number>>,
): string {
  const lines = findings.flatMap((finding) => [...findingLines(finding), '']);
  lines.push(
    `${formatCount(levels.warn)} warnings and ${formatCount(levels.info)} notes of ${formatCount(checked.length)} checks.`,
  );
  const reasons = new Map<string, string[]>();
  for (const { id, why } of notAssessed) reasons.set(why, [...(reasons.get(why) ?? []), id]);
  for (const [why, ids] of reasons) lines.push(`Not assessed: ${ids.join(', ')}: ${why}.`);
  for (const { id, key, why } of suppressed)
    lines.push(`Silenced by the project file: ${id}${key === undefined ? '' : ` ${key}`}: ${why}`);
  return lines.map((line) => `${printable(line)}\n`).join('');
}

/** `F3 Regular expressions …: 1.2 % to 6.7 % of samples of running threads, 95 % interval +3.10 to +7.90 points, in Shop.parse`. */
export function grownText({ finding, from, change }: GrownFinding): string {
  const { id, title, of, where } = finding;
  const shares = `${formatShare(from, 1, 1)} to ${formatShare(from + change.difference, 1, 1)} of ${of}`;
  const place = where.length === 0 ? '' : `, in ${where[0].key}`;
  const text = `${id} ${title}: ${shares}, 95 % interval ${rangeText(change.low, change.high)} points${place}`;
  return printable(text);
}

function findingLines(finding: Finding): readonly string[] {
  const { level, id, title, subject, share, samples, of, where, evidence, why, doubt, next } = finding;
  const interval =
    share.low === share.high ? '' : `, 95 % interval ${formatShareRange(share.low, share.high)}`;
  const when = evidence.when === undefined ? [] : [`  when   ${PATTERN_TEXTS[evidence.when]}`];
  const pools = evidence.threads.map(
    ({ pool, share: part }) => `${pool || 'threads without a name'} ${formatShare(part, 1, 0)}`,
  );
  return [
    `${level === 'warn' ? 'WARN' : 'note'}  ${id}  ${title}${subject === undefined ? '' : `: ${subject}`}`,
    `  share  ${formatShare(share.value, 1, 1)} of ${of}${interval}; ${formatCount(samples)} counted`,
    ...where.slice(0, 1).map(({ key, share: part }) => `  where  ${key}, ${formatShare(part, 1, 1)}`),
    ...(pools.length === 0 ? [] : [`  who    ${pools.join(', ')}`]),
    ...when,
    `  why    ${why}`,
    `  doubt  ${doubt}`,
    `  next   ${next}`,
  ];
}
