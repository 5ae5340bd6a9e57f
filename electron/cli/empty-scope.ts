import { NONE } from '../../shared/profile/columns.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { sampleSpan } from '../../shared/profile/sample-table.ts';
import type { Scope, Transform } from '../../shared/scope/scope.ts';
import type { ProfileInScope } from '../../shared/scope/scoped-profile.ts';
import { threadsText } from '../../shared/scope/thread-pattern.ts';
import { isExpression, threadsAmong } from '../../shared/scope/filters.ts';
import { namedBounds } from '../../shared/scope/time-range.ts';
import { formatSpan } from '../../shared/text/format-value.ts';
import { NO_SAMPLES, type SelfValues, sumSelfValues } from '../../shared/engine/values/self-values.ts';
import { type FrameGrouping } from '../../shared/engine/trees/grouping.ts';
import { KeyTable, threadKeys } from '../../shared/engine/trees/keys.ts';
import { didYouMean } from './command-io.ts';

/**
 * Which part of a scope leaves no sample, as a clause: `no thread is named http-worker; did you mean …?`. Undefined if
 * samples are left, or if the profile has none. The parts are applied one after another, each in O(call nodes), but only
 * where nothing is left.
 */
export function emptyScopeReason(
  source: LeanProfile,
  { scope, frames }: { readonly scope: Scope; readonly frames: FrameGrouping },
  { values }: Pick<ProfileInScope, 'values'>,
  inScope: (part: Scope) => ProfileInScope,
): string | undefined {
  if (!isEmpty(values) || isEmpty(source.selfValues)) return undefined;
  const { range, threads, transforms } = scope;
  const inRange = { range, threads: [], transforms: [] };
  if (isEmpty(inScope(inRange).values)) return rangeReason(source, scope);
  if (isEmpty(inScope({ ...inRange, threads }).values)) return threadsReason(source, scope);
  for (const [at, transform] of transforms.entries()) {
    const before = { range, threads, transforms: transforms.slice(0, at) };
    const after = { ...before, transforms: transforms.slice(0, at + 1) };
    if (isEmpty(inScope(after).values)) return transformReason(transform, inScope(before).profile, frames);
  }
  return 'all samples in the scope are errors, which --hide-errors leaves out';
}

function isEmpty(values: SelfValues): boolean {
  const { samples, time } = sumSelfValues(values);
  return samples === NO_SAMPLES.samples && time === NO_SAMPLES.time;
}

function rangeReason({ samples }: LeanProfile, { range }: Scope): string {
  const span = samples && sampleSpan(samples);
  const asked = namedBounds(range, samples)?.text ?? 'then';
  if (span === undefined) return `no sample was taken in the range ${asked}`;
  return `no sample was taken in the range ${asked}; the samples are from 0 s to ${formatSpan(Number(span.last - span.first))}`;
}

function threadsReason(profile: LeanProfile, { threads, range }: Scope): string {
  const names = threadKeys(profile, 'name');
  const asked = threads.map((entry) => threadsText(entry).replace(/^threads? /, '')).join(' or ');
  if (threadsAmong(names, threads).size > 0)
    return `no sample is of the thread ${asked}${range === undefined ? '' : ' in the range'}`;
  const [wanted] = threads;
  return `no thread is named ${asked}${isExpression(wanted) ? '' : didYouMean(wanted, [...new Set(names)])}`;
}

/** `profile`: what is left before the transform. */
function transformReason(transform: Transform, profile: LeanProfile, grouping: FrameGrouping): string {
  switch (transform.kind) {
    case 'keep':
    case 'focus': {
      const keys = keysOnStacks(profile, transform.keys ?? grouping);
      return `no sample has the frame ${transform.key} on its stack (--${transform.kind})${didYouMean(transform.key, keys)}`;
    }
    case 'drop':
      return `every sample has the frame ${transform.key} on its stack (--drop)`;
    default:
      return `--${transform.kind} leaves no sample`;
  }
}

/** Frames that a transform has replaced are in the profile, too, and on no stack. */
function keysOnStacks(profile: LeanProfile, grouping: FrameGrouping): readonly string[] {
  const keys = new KeyTable(profile, grouping);
  keys.update();
  const { length, parent, frame } = profile.nodes;
  const found = new Set<number>();
  for (let node = 0; node < length; node++) if (parent[node] !== NONE) found.add(keys.ofFrame[frame[node]]);
  return Array.from(found, (key) => keys.labels[key]);
}
