import { Engine } from '../../shared/engine/engine.ts';
import { INITIAL_QUERY } from '../../shared/engine/query.ts';
import type { LeanProfile } from '../../shared/profile/lean-profile.ts';
import type { Scope } from '../../shared/scope/scope.ts';
import type { ProfileInScope } from '../../shared/scope/scoped-profile.ts';
import type { FrameGrouping } from '../../shared/engine/trees/grouping.ts';

/** What an engine gives as the part of a profile in a scope, as exports and the command line ask for it. */
export function askedProfile(profile: LeanProfile, scope: Scope, frames: FrameGrouping): ProfileInScope {
  const engine = new Engine();
  engine.add('log', profile);
  return engine.view('log', { ...INITIAL_QUERY, frames, keys: frames, scope }, 'name', true).alone;
}
