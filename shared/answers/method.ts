/** The answer to what a method does: who calls it, what it calls, in which lines, when, in which threads, and whole stacks. */
import { NONE } from '../profile/columns.ts';
import type { RowValues } from '../engine/values/row-sums.ts';
import { sumSelfValues } from '../engine/values/self-values.ts';
import { PATTERN_TEXTS, timePattern } from '../engine/views/time-pattern.ts';
import { callTreeOf } from '../export/tree.ts';
import { topTable } from '../export/top.ts';
import { KEEP_ALL } from '../engine/views/filter.ts';
import { formatCount, formatShare } from '../text/format-value.ts';
import { shownLabel } from '../text/format-frame.ts';
import { type Answer, type AskedPart, intervalOf, shareOf } from './answer.ts';
import { methodRef, unitsData, wholeData, refuseUnknownMethod } from './hot.ts';
import type { MethodData } from './schemas.ts';

interface MethodQuestion {
  readonly method: string;
  /** Most callers, callees, lines and pools. */
  readonly limit: number;
  /** Line of a file -> its text; undefined: no source was found. */
  readonly sourceOf?: ((className: string, file: string) => readonly string[] | undefined) | undefined;
}

const MOST_STACKS = 3;
/** Deeper stacks are cut: the frames next to the leaf stay. */
const MOST_FRAMES = 60;
const ALL = { threads: 'all', frames: 'fqmn' } as const;

/** `kept`: the samples with the method on their stack. Throws UnknownMethod. */
export function methodAnswer(
  asked: AskedPart,
  kept: Pick<AskedPart, 'view'>,
  { method, limit, sourceOf }: MethodQuestion,
): Answer<MethodData> {
  const { view, units } = asked;
  const key = refuseUnknownMethod(view, method);
  const flat = view.flat('fqmn');
  const whole = sumSelfValues(view.values);
  const ref = methodRef(method);
  const [total, self] = [flat.totalCount[key], flat.selfCount[key]];
  const neighbours = (of: 'callers' | 'callees') => nextTo(view.rows(of, ALL, ref), limit, total);
  const lines = linesOf(view.lines(ref), limit, sourceOf);
  const times = view.timesOfRows('methods', ALL, [key]);
  const pattern = times && timePattern(times);
  const pools = topTable(kept.view.alone.profile, {
    group: 'pool',
    by: 'total',
    limit,
    metric: 'samples',
    units,
    filter: KEEP_ALL,
  });
  const data: MethodData = {
    key: method,
    units: unitsData(units),
    whole: wholeData(whole, units),
    self,
    selfShare: shareOf(self, whole.samples),
    total,
    totalShare: shareOf(total, whole.samples),
    interval: intervalOf(total, whole.samples, units),
    callers: neighbours('callers'),
    callees: neighbours('callees'),
    lines,
    when: pattern === undefined || times === undefined ? null : { pattern, parts: [...times] },
    pools: {
      rows: pools.shown.map((row) => ({
        key: pools.top.values.label(row),
        samples: pools.top.values.totalCount[row],
        share: shareOf(pools.top.values.totalCount[row], total),
      })),
      leftOut: { rows: pools.more, samples: null },
    },
    stacks: heaviestStacks(callTreeOf(kept.view.alone.profile, ALL), total),
  };
  return { data, text: methodText(data) };
}

type Neighbours = MethodData['callers'];

function nextTo({ tree, totalCount }: RowValues, limit: number, whole: number): Neighbours {
  const found: { key: string; samples: number; share: number }[] = [];
  for (const root of tree.roots())
    for (let row = tree.firstChild(root); row !== NONE; row = tree.nextSibling(row))
      if (totalCount[row] > 0)
        found.push({
          key: tree.label(row),
          samples: totalCount[row],
          share: shareOf(totalCount[row], whole),
        });
  found.sort((a, b) => b.samples - a.samples || (a.key < b.key ? -1 : 1));
  const left = found.slice(limit);
  return {
    rows: found.slice(0, limit),
    leftOut: { rows: left.length, samples: left.reduce((sum, { samples }) => sum + samples, 0) },
  };
}

function linesOf(
  found: ReturnType<AskedPart['view']['lines']>,
  limit: number,
  sourceOf: MethodQuestion['sourceOf'],
): MethodData['lines'] {
  const all = (found?.files ?? []).flatMap(({ file, lines }) =>
    lines.map(({ line, selfCount, totalCount }) => ({ file, line, self: selfCount, total: totalCount })),
  );
  all.sort((a, b) => b.self - a.self || b.total - a.total || a.line - b.line);
  const rows = all.slice(0, limit).map((each) => {
    const text =
      found &&
      sourceOf?.(found.className, each.file)
        ?.at(each.line - 1)
        ?.trim();
    return { ...each, source: text === undefined ? null : text.slice(0, 200) };
  });
  return { rows, leftOut: { rows: all.length - rows.length, samples: null } };
}

function heaviestStacks(sums: RowValues, whole: number): MethodData['stacks'] {
  const { tree, selfCount } = sums;
  const rows: number[] = [];
  for (let row = 0; row < tree.length; row++) {
    if (!(selfCount[row] > 0)) continue;
    if (rows.length === MOST_STACKS && selfCount[row] <= selfCount[rows[MOST_STACKS - 1]]) continue;
    rows.push(row);
    rows.sort((a, b) => selfCount[b] - selfCount[a]);
    rows.length = Math.min(rows.length, MOST_STACKS);
  }
  return rows.map((end) => {
    const frames: string[] = [];
    let row = end;
    for (; tree.parent[row] !== NONE && frames.length < MOST_FRAMES; row = tree.parent[row])
      frames.push(tree.label(row));
    if (tree.parent[row] !== NONE) frames.push('…');
    return { frames: frames.reverse(), samples: selfCount[end], share: shareOf(selfCount[end], whole) };
  });
}

function methodText(data: MethodData): string {
  const { key, self, total, whole, units, interval, lines, when, stacks } = data;
  const of = (part: number, all: number): string => `${formatShare(part, all, 1)}, ${formatCount(part)}`;
  const range =
    interval === null
      ? ''
      : `, 95 % interval of the total ${formatShare(interval.low, 1, 1)} to ${formatShare(interval.high, 1, 1)}`;
  const text = [
    shownLabel(key),
    `total ${of(total, whole.samples)}; self ${of(self, whole.samples)} of ${formatCount(whole.samples)} ${units.counted} in scope${range}`,
  ];
  const list = (
    title: string,
    { rows, leftOut }: { readonly rows: readonly string[]; readonly leftOut: { readonly rows: number } },
    none: string,
  ): void => {
    text.push('', title);
    if (rows.length === 0) text.push(`  ${none}`);
    for (const row of rows) text.push(`  ${row}`);
    if (leftOut.rows > 0) text.push(`  … ${formatCount(leftOut.rows)} more: a larger limit shows them`);
  };
  const named = ({ rows, leftOut }: Neighbours) => ({
    rows: rows.map((row) => `${formatShare(row.share, 1, 1).padStart(7)}  ${shownLabel(row.key)}`),
    leftOut,
  });
  list(
    `Callers, of ${formatCount(total)} ${units.counted} with it`,
    named(data.callers),
    'none: it is at the root of its threads',
  );
  list('Callees, of the same', named(data.callees), 'none: it calls nothing that was seen');
  list(
    'Lines, by self',
    {
      rows: lines.rows.map(
        (row) =>
          `${of(row.self, total).padStart(14)} self, ${of(row.total, total)} total  ${row.file === '' ? 'line ' : `${row.file}:`}${row.line}${row.source === null ? '' : `  ${row.source}`}`,
      ),
      leftOut: lines.leftOut,
    },
    'not recorded',
  );
  text.push('', `When  ${when === null ? 'not recorded' : PATTERN_TEXTS[when.pattern]}`);
  list('Threads, by pool', named(data.pools), 'none');
  for (const [at, { frames, samples, share }] of stacks.entries()) {
    text.push('', `Stack ${at + 1}: ${formatCount(samples)} ${units.counted}, ${formatShare(share, 1, 1)}`);
    const same = at === 0 ? 0 : sameFrames(stacks[0].frames, frames);
    if (same > 1) text.push(`  … ${same} frames as in stack 1`);
    for (const frame of frames.slice(same > 1 ? same : 0)) text.push(`  ${shownLabel(frame)}`);
  }
  return text.map((line) => `${line}\n`).join('');
}

/** The number of frames that two stacks have in common at the root. */
function sameFrames(one: readonly string[], other: readonly string[]): number {
  const end = other.findIndex((frame, at) => frame !== one[at]);
  return end < 0 ? other.length : end;
}
