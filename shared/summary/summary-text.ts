import type { Finding, FindingsAnswer } from '../findings/finding.ts';
import { PATTERN_TEXTS } from '../engine/views/time-pattern.ts';
import { alignedLines } from '../text/aligned-lines.ts';
import { shownLabel, withoutAddress } from '../text/format-frame.ts';
import { capitalised, formatCount, formatQuantity, formatShare } from '../text/format-value.ts';
import { markdownText } from '../text/markdown.ts';
import { printable } from '../text/printable.ts';
import { type HotMethod, type PathStep, poolText, type Summary } from './summary.ts';

/** Id of the check whose findings are told as bursts. */
const BURSTS = 'F31';

/** `62.3 % of CPU is in Ranking.top, …`; undefined without samples. */
export function answerText({ answer }: Summary): string | undefined {
  return answer && `${formatShare(answer.share, 1, 1)} ${answer.text}`;
}

/** `60.6 % by all paths`: why the answer tells another share of a method than its path; undefined where both are equal. */
export function allPathsText({
  share,
  onAllPaths,
}: Pick<PathStep, 'share' | 'onAllPaths'>): string | undefined {
  if (onAllPaths === undefined) return undefined;
  const [here, everywhere] = [share, onAllPaths].map((each) => formatShare(each, 1, 1));
  return here === everywhere ? undefined : `${everywhere} by all paths`;
}

/** `Shop.main › 3 frames › Shop.loop`, `Shop.rank (60.6 % by all paths)`. */
export function stepText(step: Omit<PathStep, 'id' | 'self'>): string {
  const { label, between, last } = step;
  const onAllPaths = allPathsText(step);
  const first = `${shownLabel(withoutAddress(label))}${onAllPaths === undefined ? '' : ` (${onAllPaths})`}`;
  if (last === undefined) return first;
  const middle = between === 0 ? '' : ` › ${formatQuantity(between, 'frame')}`;
  return `${first}${middle} › ${shownLabel(withoutAddress(last.label))}`;
}

/** `http-worker-* 84 %, main 16 %`. */
export function poolsText({ pools }: Pick<HotMethod, 'pools'>): string {
  return pools
    .map(
      ({ pool, share }) =>
        `${pool === '' ? poolText({ pool, threads: 2 }).slice(2) : pool} ${formatShare(share, 1, 0)}`,
    )
    .join(', ');
}

/** `Nothing conspicuous in 29 checks.` `among`: there are bursts. */
export function nothingFoundText({ checked, few }: FindingsAnswer, among: readonly Finding[]): string {
  const nothing = among.length === 0 ? 'Nothing' : 'Nothing else';
  return `${nothing} conspicuous in ${formatQuantity(checked.length, 'check')}${few === undefined ? '' : `, but ${few}`}.`;
}

/** `0:28 to 0:31: Report.run 33.1 % instead of 2.9 %`. */
export function burstText({ period, subject = '', share }: Finding): string {
  const usual = period === undefined ? '' : ` instead of ${formatShare(period.usual, 1, 1)}`;
  return `${period?.text ?? ''}: ${subject} ${formatShare(share.value, 1, 1)}${usual}`;
}

/** A finding as a title: `Sorting takes much of the time`, `One method does the work: Shop.rank`. */
export function findingTitle({ title, subject }: Pick<Finding, 'title' | 'subject'>): string {
  return subject === undefined ? title : `${title}: ${subject}`;
}

/** A finding as an item of a list in Markdown: its share, its place, why, when it is wrong, and what to do. */
export function findingMarkdown(finding: Finding): string {
  const { id, share, of, where, why, doubt, next } = finding;
  const place = where.length === 0 ? '' : ` in ${where[0].key}`;
  const what = `${findingTitle(finding)}: ${formatShare(share.value, 1, 1)} of ${of}${place}`;
  const text = markdownText;
  return `- **${id} ${text(what)}**. ${text(why)} _Doubt_: ${text(doubt)} _Next_: ${text(next)}`;
}

/** The findings that are bursts, and the other ones. */
export function burstsApart({ findings }: Pick<FindingsAnswer, 'findings'>): {
  readonly bursts: readonly Finding[];
  readonly others: readonly Finding[];
} {
  return {
    bursts: findings.filter(({ id }) => id === BURSTS),
    others: findings.filter(({ id }) => id !== BURSTS),
  };
}

/** `no stack 7.5 %; gaps between samples: 3 gaps …`. */
export function lostText({ lost }: Pick<Summary, 'lost'>): string {
  return lost.length === 0 ? 'nothing' : lost.join('; ');
}

/** Checks of other sample types, a line for each type: `F24 Threads wait for a lock --choose sample-type=lock`. */
function notAssessedRows({ notAssessed }: FindingsAnswer): readonly (readonly string[])[] {
  const types = new Set(notAssessed.flatMap(({ choose }) => choose ?? []));
  return Array.from(types, (type) => {
    const checks = notAssessed.filter(({ choose }) => choose === type);
    const [{ id, title }] = checks;
    const what = checks.length === 1 ? `${id} ${title}` : `${formatCount(checks.length)} checks`;
    return [what, `--choose sample-type=${type}`];
  });
}

function fewLines({ few }: FindingsAnswer): readonly string[] {
  return few === undefined ? [] : ['', `${capitalised(few)}.`];
}

/** The summary for a terminal; empty without samples. */
export function summaryLines(summary: Summary, found: FindingsAnswer): readonly string[] {
  const answer = answerText(summary);
  if (answer === undefined) return [];
  const { bursts, others } = burstsApart(found);
  const ofWhole = found.whole === undefined ? '' : `, shares of ${found.whole}`;
  const percent = (share: number): string => formatShare(share, 1);
  /** A table with two columns of numbers before its texts. */
  const table = (title: string, head: readonly string[], rows: readonly (readonly string[])[]) => [
    '',
    title,
    ...alignedLines(
      [head, ...rows].map((row) => row.map(printable)),
      (column) => column < 2,
    ).map((line) => `  ${line}`),
  ];
  const list = (title: string, rows: readonly (readonly string[])[]): readonly string[] =>
    rows.length === 0
      ? []
      : ['', title, ...alignedLines(rows.map((row) => row.map(printable))).map((line) => `  ${line}`)];
  return [
    printable(answer),
    ...(summary.requests === undefined ? [] : [summary.requests]),
    ...table(
      'Hot path',
      ['Total %', 'Self %', 'Calls'],
      summary.path.map((step) => [percent(step.share), percent(step.self), stepText(step)]),
    ),
    ...table(
      'Hottest methods',
      ['Self %', 'Total %', 'When', 'Method', 'Threads'],
      summary.methods.map((method) => [
        percent(method.self),
        percent(method.total),
        method.when === undefined ? '' : PATTERN_TEXTS[method.when.pattern],
        shownLabel(method.ref.label),
        poolsText(method),
      ]),
    ),
    ...list(
      'Bursts',
      bursts.map((burst) => [burstText(burst)]),
    ),
    ...list(
      `Findings${ofWhole}`,
      others.map((finding) => [
        finding.level === 'warn' ? 'WARN' : 'note',
        finding.id,
        percent(finding.share.value),
        findingTitle(finding),
      ]),
    ),
    ...(others.length === 0 ? ['', nothingFoundText(found, bursts)] : fewLines(found)),
    ...list('Not assessed', notAssessedRows(found)),
    '',
    `Lost: ${printable(lostText(summary))}`,
  ];
}
