import type { MethodChange, SharePart } from '../engine/comparison/method-changes.ts';
import { onlyIn } from '../engine/values/row-change.ts';
import {
  dependenceText,
  capitalised,
  formatAmount,
  formatCount,
  formatQuantity,
  formatShare,
  pointsText,
  rangeText,
} from '../text/format-value.ts';
import { weightName } from '../engine/values/metric.ts';
import type { SampleSum } from '../engine/values/self-values.ts';
import { LEAST_SAMPLES_TO_TELL } from '../engine/values/share-change.ts';
import { writeComparedSvg } from './compare-svg.ts';
import { collectText, writeLines, xmlText } from './text-sink.ts';
import { LEAST_DIFFERENCE, MOST_METHODS, PART_TITLES, type Report, reportLines } from './report.ts';
import { type ComparisonWriter, type CompareReport } from './written-comparison.ts';

/** The totals, and the methods whose share changed more than chance explains, as aligned text (specs: cli, `report`). */
export const writeReport: ComparisonWriter = ({ report }, sink) =>
  writeLines(reportLines(reportOf(report), 'text'), sink);

/** The report as Markdown, for a pull request. */
export const writeReportMarkdown: ComparisonWriter = ({ report }, sink) =>
  writeLines(reportLines(reportOf(report), 'markdown'), sink);

/**
 * The report as one HTML file without scripts and external resources, which its policy also forbids. It has the differential
 * flame graph. Names are untrusted and are escaped.
 */
export const writeReportHtml: ComparisonWriter = (comparison, sink) => {
  const { report } = comparison;
  const svg = collectText((pieces) => writeComparedSvg(comparison, pieces));
  const lines = [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${xmlText(report.title)}</title>`,
    `<style>${STYLE}</style></head><body class="${comparison.input.theme}"><main>`,
    ...reportLines(reportOf(report), 'html'),
    '<h2>Flame graph</h2>',
    // The declaration of an XML file is an error inside of HTML.
    `<div class="wide">${svg.replace(/^<\?xml[^>]*\?>\s*/, '')}</div>`,
    '</main></body></html>',
  ];
  writeLines(lines, sink);
};

const STYLE = `
body{margin:0;font:14px/1.5 system-ui,sans-serif;background:#fff;color:#1b1d24}
.dark{background:#16181d;color:#f3f4f8;color-scheme:dark}.dark td,.dark th{border-color:#3a3e48}
main{max-width:1240px;margin:0 auto;padding:16px}
h1{font-size:20px}h2{font-size:16px;margin-top:24px}
table{border-collapse:collapse}
th,td{padding:3px 10px;text-align:right;border-bottom:1px solid #d9dce3;font-variant-numeric:tabular-nums;white-space:nowrap}
th:last-child,td:last-child{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:20em}
.wide{overflow-x:auto}
`.replaceAll('\n', '');

function reportOf(report: CompareReport): Report {
  const { title, notes, whole } = report;
  const isEmpty = whole.base.samples === 0 || whole.next.samples === 0;
  return {
    title,
    totals: totalsTable(report),
    notes: [introduction(report), ...notes],
    parts: isEmpty ? [] : (['self', 'total'] as const).map((part) => changeTable(part, report)),
  };
}

function totalsTable({ names, whole, units }: CompareReport): Report['totals'] {
  const { value, counted } = units;
  const row = (title: string, name: string, { samples, time }: SampleSum): readonly string[] => [
    formatCount(samples),
    ...(value === undefined ? [] : [formatAmount(time, value.unit)]),
    title,
    name,
  ];
  return {
    header: [
      capitalised(counted.many),
      ...(value === undefined ? [] : [capitalised(value.name)]),
      'Profile',
      'File',
    ],
    rows: [row('base', names.base, whole.base), row('new', names.next, whole.next)],
    note: '',
  };
}

function introduction({ units, metric, changes, whole }: CompareReport): string {
  const weight = weightName(metric, units);
  const isEmpty = whole.base.samples === 0 || whole.next.samples === 0;
  if (isEmpty) return `One of the profiles has no ${units.counted.many}: there is nothing to compare.`;
  const { many } = units.counted;
  const interval =
    metric === 'samples'
      ? 'the 95 % interval of the difference does not contain 0'
      : `the share of ${many} changed in the same direction, with a 95 % interval of the difference that does not contain 0`;
  if (changes.some(({ certainty }) => certainty === 'unknown')) {
    const leftOut = changes.some(({ certainty }) => certainty === 'chance')
      ? ` What even independent ${many} would not confirm is not listed.`
      : '';
    return `Shares are of all ${weight} of each profile. ${dependenceText(units.counted.many)}${leftOut}`;
  }
  const certain = changes.some(({ certainty }) => certainty !== 'exact')
    ? ` Listed are changes that chance does not explain: ${interval}, and there are at least ${LEAST_SAMPLES_TO_TELL} ${many}. If nothing has changed, up to one in twenty methods is listed nevertheless.`
    : '';
  return `Shares are of all ${weight} of each profile.${certain}`;
}

/** The methods whose share of a part changed. */
function changeTable(
  part: SharePart,
  { units, metric, changes, limit = MOST_METHODS }: CompareReport,
): Report['parts'][number] {
  const ofPart = changes.filter(
    ({ of, base, next }) =>
      of === part && [base, next].some(({ samples, time }) => samples !== 0 || time !== 0n),
  );
  const changed = ofPart.filter(
    ({ certainty, difference }) => certainty !== 'chance' && Math.abs(difference) >= LEAST_DIFFERENCE,
  );
  const { value } = units;
  const weight = weightName(metric, units);
  const rows = changed.slice(0, limit).map((change) => {
    const { base, next, difference, sampled, certainty, label } = change;
    const amount = (each: typeof base): string =>
      metric === 'samples' || value === undefined
        ? formatCount(each.samples)
        : formatAmount(Number(each.time), value.unit);
    const interval =
      certainty === 'real' && sampled !== undefined
        ? rangeText(sampled.low, sampled.high)
        : certainty === 'unknown'
          ? 'unknown'
          : 'exact';
    return [
      formatShare(base.share, 1),
      formatShare(next.share, 1),
      pointsText(difference),
      interval,
      amount(base),
      amount(next),
      presence(change),
      label,
    ];
  });
  const rest = changed.length - rows.length;
  const notes = [
    ...(rest > 0 ? [`${formatCount(rest)} more changed.`] : []),
    ...othersNotes(ofPart, changed.length, metric === 'samples' ? '' : units.counted.many),
  ];
  return {
    title: PART_TITLES[part],
    header: [
      'Base share',
      'New share',
      'Points',
      metric === 'samples' ? '95 % interval' : `95 % interval of ${units.counted.many}`,
      `Base ${weight}`,
      `New ${weight}`,
      'Only in',
      'Method',
    ],
    rows,
    note: notes.join(' '),
  };
}

/** Sentences about the methods that are not listed. `unconfirmedBy`: what does not confirm a change; empty for chance alone. */
function othersNotes(all: readonly MethodChange[], listed: number, unconfirmedBy: string): readonly string[] {
  const isUnchanged = ({ certainty, difference }: MethodChange): boolean =>
    certainty === 'chance' || difference === 0;
  if (all.every(isUnchanged)) return ['No method changed.'];
  const byChance = all.filter(({ certainty }) => certainty === 'chance').length;
  const slightly = all.length - listed - byChance;
  const chance = `chance explains${unconfirmedBy === '' ? '' : `, or ${unconfirmedBy} do not confirm it`}`;
  const other = listed === 0 ? 'method' : 'other method';
  return [
    ...(slightly > 0 ? [`${formatQuantity(slightly, other)} changed by less than 0.01 points.`] : []),
    ...(byChance > 0 ? [`${formatQuantity(byChance, 'other method')} changed no more than ${chance}.`] : []),
  ];
}

function presence({ base, next }: MethodChange): string {
  const [samples, times] = [
    { base: base.samples, next: next.samples },
    { base: Number(base.time), next: Number(next.time) },
  ];
  return onlyIn(samples, times) ?? '';
}
