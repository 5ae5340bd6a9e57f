import { type FlameZoom, isBottomUpZoom, type ZoomedRow } from '../../shared/engine/query.ts';
import { bottomUpOf } from '../../shared/export/bottom-up.ts';
import { callTreeOf } from '../../shared/export/tree.ts';
import { NONE } from '../../shared/profile/columns.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { Scope } from '../../shared/scope/scope.ts';
import { type ProfileInScope, profileInScope } from '../../shared/scope/scoped-profile.ts';
import type { FrameGrouping, TreeGrouping } from '../../shared/trees/grouping.ts';
import { maskedValues } from '../../shared/values/masked-values.ts';
import { addedSamples, sumSelfValues } from '../../shared/values/self-values.ts';
import { either } from '../../shared/values/masks.ts';
import { errorRows } from '../../shared/values/values-without-errors.ts';
import { ALL_ROWS } from '../../shared/views/flame-columns.ts';
import { outsideZoom, zoomedRoot } from '../../shared/engine/zoomed-root.ts';

/** What of a profile a file has. */
export interface ExportedScope {
  readonly scope: Scope;
  readonly frames: FrameGrouping;
  readonly hidesErrors: boolean;
}

/** A part of a profile, without hidden errors: all that its rows, its stacks and its samples have in common. */
export function exportedScope(
  source: LeanProfile,
  { scope, frames, hidesErrors }: ExportedScope,
): ProfileInScope {
  return without(source, scope, frames, hidesErrors ? errorRows(source) : undefined);
}

/** The same, of the rows below a zoom; undefined where the zoom is not in scope. */
export function exportedZoom(
  source: LeanProfile,
  exported: ExportedScope,
  zoom: FlameZoom,
  grouping: TreeGrouping,
): ProfileInScope | undefined {
  const { scope, frames, hidesErrors } = exported;
  const isError = hidesErrors ? errorRows(source) : undefined;
  const whole = without(source, scope, frames, isError);
  const calls = callTreeOf(whole.profile, grouping, whole.values);
  const bottomUp = isBottomUpZoom(zoom) ? bottomUpOf(calls) : undefined;
  const rows = bottomUp ?? calls;
  const root = zoomedRoot(rows, zoomOfNodes(zoom, whole.nodeOf));
  if (root === undefined) return undefined;
  const { selfValues } = source;
  const leaves = whole.leaves ?? selfValues.node.subarray(0, selfValues.length);
  // A row without a leaf is outside of the scope in any case.
  const node = leaves.map((leaf) => Math.max(leaf, 0));
  const ends = bottomUp?.ends(calls.tree) ?? calls.tree;
  const isBeyond = outsideZoom(rows.tree, root, ends, { node, length: node.length });
  const below = without(source, scope, frames, either(isBeyond, isError));
  const [all, left] = [sumSelfValues(whole.values), sumSelfValues(below.values)];
  const beyond = { samples: all.samples - left.samples, time: all.time - left.time };
  return { ...below, outside: addedSamples(whole.outside, beyond) };
}

/** The part in scope without the rows of the source's SelfTable that are marked, which do not count as outside. */
function without(
  source: LeanProfile,
  scope: Scope,
  frames: FrameGrouping,
  isLeftOut: Uint8Array | undefined,
): ProfileInScope {
  if (isLeftOut === undefined) return profileInScope(source, scope, frames);
  const inScope = profileInScope(source, scope, frames, (values) => maskedValues(values, isLeftOut));
  return { ...inScope, isOutside: either(inScope.isOutside, isLeftOut) };
}

/** The zoom in the nodes of another profile; undefined where that has none of them. */
export function zoomOfNodes(
  zoom: FlameZoom | undefined,
  nodeOf: (id: number) => number,
): FlameZoom | undefined {
  if (zoom === undefined) return undefined;
  const inNodes = (row: ZoomedRow): ZoomedRow =>
    typeof row === 'number' ? nodeOf(row) : { end: nodeOf(row.end), caller: nodeOf(row.caller) };
  const row = zoom.row === ALL_ROWS ? ALL_ROWS : inNodes(zoom.row);
  const run = zoom.run && { first: inNodes(zoom.run.first), last: inNodes(zoom.run.last) };
  const isGone =
    (zoom.row !== ALL_ROWS && isNone(row)) || (run !== undefined && (isNone(run.first) || isNone(run.last)));
  return isGone ? undefined : { row, run };
}

function isNone(row: ZoomedRow): boolean {
  return typeof row === 'number' ? row === NONE : row.end === NONE || row.caller === NONE;
}
