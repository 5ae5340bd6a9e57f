import type { Comparison } from '../../shared/engine/comparison/comparison.ts';
import { Engine } from '../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../shared/engine/query.ts';
import type { TreeGrouping } from '../../shared/engine/trees/grouping.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import { EMPTY_SCOPE, type Scope } from '../../shared/scope/scope.ts';

/** Two profiles compared under one scope, as exports and the command line ask an engine for it. */
export function comparisonOf(
  base: LeanProfile,
  next: LeanProfile,
  grouping: TreeGrouping,
  scope: Scope = EMPTY_SCOPE,
): Comparison {
  const engine = new Engine();
  engine.add('base', base);
  engine.add('next', next);
  const { frames: keys } = grouping;
  const frames = typeof keys === 'string' ? keys : keys.rest;
  const comparison = { baseline: { log: 'base' }, by: 'share', isSampled: true } as const;
  const query = { ...INITIAL_QUERY, frames, keys, scope, comparison };
  return engine.view('next', query, 'name', true).comparison(grouping);
}
