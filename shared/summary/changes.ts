/** The answer to "what changed?": the methods that grew and shrank by more than chance explains. */
import { differenceText, valueText } from '../engine/columns/compared-cells.ts';
import type { ProfileView } from '../engine/profile-view.ts';
import type { MethodRef } from '../engine/query.ts';
import { displayLabel } from '../engine/trees/row-tree.ts';
import type { ComparedRows, RowValues } from '../engine/values/row-sums.ts';
import { columnOf, type ComparedPart, rowChange, type RowChange } from '../engine/values/row-change.ts';
import { ownCode } from '../findings/frame-classes.ts';
import type { ProfileUnits } from '../profile/profile-units.ts';
import { formatCount, formatQuantity, formatShare } from '../text/format-value.ts';

/** A method whose value changed. */
export interface ChangedMethod {
  /** The row of the methods that it is. */
  readonly ref: MethodRef;
  /** New minus base, in what is compared: a fraction for shares. */
  readonly difference: number;
  /** That for people: `+7.20`, in points for shares. */
  readonly change: string;
  /** As people read them: `24.0 %`, `1,200`; empty where one side alone has the method. */
  readonly base: string;
  readonly next: string;
}

export interface Changes {
  /** About the program's own code: `grew from 24.0 to 31.2 % of its side`; undefined where chance explains all. */
  readonly answer: { readonly method: ChangedMethod; readonly text: string } | undefined;
  /** By what ended in them, the largest change first; at most five. */
  readonly grew: readonly ChangedMethod[];
  readonly shrank: readonly ChangedMethod[];
  /** The number of methods whose change chance does not explain, in words. */
  readonly certainty: string;
  /** Samples of both sides: `5,012 samples`, `2,452`. */
  readonly sides: { readonly next: string; readonly base: string };
}

/** Methods that are told of each direction. */
const MOST = 5;
/** Callers of what changed have almost the same difference: the deepest method with so much of the largest one is told. */
const ALMOST = 0.9;

/** The changes of a view that compares; undefined in one that does not, and while one side is empty. O(methods). */
export function changesOf(
  view: ProfileView,
  { own, units }: { readonly own: readonly string[]; readonly units: ProfileUnits },
): Changes | undefined {
  const rows = view.rows('methods', { threads: 'all', frames: view.query.keys }, undefined);
  const { compared, tree } = rows;
  if (compared === undefined) return undefined;
  const { samples } = compared.whole;
  if (samples.base === 0 || samples.next === 0) return undefined;
  const told = ({ row, change }: RealChange): ChangedMethod => ({
    ref: { of: 'methods', id: tree.idOf(row), label: displayLabel(tree, row) },
    difference: change.difference,
    change: differenceText(change.difference, compared.whole, units),
    base: change.only === 'new' ? '' : text(change.base, compared, units),
    next: change.only === 'base' ? '' : text(change.next, compared, units),
  });
  const changed = realChanges(rows, compared, 'self');
  const [grew, shrank] = [1, -1].map((direction) =>
    changed.filter(({ change }) => Math.sign(change.difference) === direction).slice(0, MOST),
  );
  const isOwn = ownCode(own);
  const { frames, methods } = view.profile;
  const isOwnRow = (row: number): boolean =>
    isOwn(methods.names[frames.method[tree.keys.firstFrame[tree.key[row]]]]);
  const ofOwn = realChanges(rows, compared, 'total').filter(({ row }) => isOwnRow(row));
  const largest = Math.abs(ofOwn.at(0)?.change.difference ?? 0);
  const almost = ofOwn.filter(({ change }) => Math.abs(change.difference) >= ALMOST * largest);
  // Each caller has the samples of what it calls, and its own.
  almost.sort((a, b) => a.change.base + a.change.next - b.change.base - b.change.next);
  const answer = almost.at(0) ?? changed.at(0);
  const method = answer && told(answer);
  const { one, many } = units.counted;
  return {
    answer: method && { method, text: answerTextOf(method) },
    grew: grew.map(told),
    shrank: shrank.map(told),
    certainty: certaintyText(changed.length, answer !== undefined),
    sides: { next: formatQuantity(samples.next, one, many), base: formatCount(samples.base) },
  };
}

interface RealChange {
  readonly row: number;
  readonly change: RowChange;
}

/** The rows whose change chance does not explain, the largest change first. */
function realChanges(rows: RowValues, compared: ComparedRows, part: ComparedPart): RealChange[] {
  const { base, whole } = compared;
  const { metric } = whole.scale;
  const [samplesBefore, samplesAfter] = [base, rows].map((side) => columnOf(side, 'samples', part));
  const [before, after] = [base, rows].map((side) => columnOf(side, metric, part));
  const { keys } = rows.tree;
  const found: RealChange[] = [];
  for (let row = 0; row < rows.tree.length; row++) {
    const key = rows.tree.key[row];
    if (!rows.isShown(row) || keys.isNoStack(key) || keys.isError[key]) continue;
    const values = { base: before[row], next: after[row] };
    const change = rowChange({ base: samplesBefore[row], next: samplesAfter[row] }, values, whole);
    if (change !== undefined && change.certainty !== 'chance' && change.difference !== 0)
      found.push({ row, change });
  }
  return found.sort((a, b) => Math.abs(b.change.difference) - Math.abs(a.change.difference));
}

function text(value: number, { whole }: ComparedRows, units: ProfileUnits): string {
  if (whole.by === 'share') return formatShare(value, 1, 1);
  return `${valueText(value, 1, whole, units)}${whole.by === 'rate' ? ' /s' : ''}`;
}

/** Callers may change by more than chance explains where none of what they call does, one by one. */
function certaintyText(methods: number, isAnswered: boolean): string {
  if (methods > 0) return `${formatQuantity(methods, 'method')} changed by more than chance explains`;
  return isAnswered ? 'no method changed in itself by more than chance explains' : 'chance explains all';
}

/** `grew from 24.0 % to 31.2 %`, `is new, with 3.1 %`. */
function answerTextOf({ difference, base, next }: ChangedMethod): string {
  if (base === '') return `is new, with ${next}`;
  if (next === '') return `is gone, and had ${base}`;
  return `${difference > 0 ? 'grew' : 'shrank'} from ${base} to ${next}`;
}
