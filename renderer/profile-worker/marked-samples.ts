import type { MethodRef } from '../../shared/engine/query.ts';
import type { ProfileView } from '../../shared/engine/profile-view.ts';
import type { Selection } from './pane-messages.ts';

/** Milliseconds after a selection in which further ones are waited for. */
export const SELECTION_PAUSE_MS = 100;

/** The selected method, whose samples are marked; undefined where something else is selected, or nothing. */
export function selectedMethod(selection: Selection | undefined): MethodRef | undefined {
  return selection?.kind === 'frame' || selection?.kind === 'error' ? selection : undefined;
}

/**
 * The samples of a log and all on which it depends how `ViewSamples.marks` marks them. A time range is no part of it:
 * samples of any time are marked.
 */
export function whatIsMarked(
  { source, query, isJoined }: ProfileView,
  method: MethodRef | undefined,
): readonly unknown[] {
  const { keys, scope, search, hidesErrors } = query;
  const { threads, transforms } = scope;
  return [source.samples?.revision, isJoined, keys, threads, transforms, search, hidesErrors, method];
}
