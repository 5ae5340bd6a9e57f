import { sessionOf, settled, waitingTabs } from '../../renderer/store/links/session.ts';
import {
  INITIAL_STATE,
  type LinkedScope,
  type LogKey,
  type LogView,
} from '../../renderer/store/state/window-state.ts';

interface Links {
  readonly waiting: readonly LinkedScope[];
  readonly seen: ReadonlySet<LogKey>;
  readonly isOwn?: boolean;
}

/** Logs as links show them, and the links that are left. Nothing is merged. */
export function withLinkedScopes(
  logs: readonly LogView[],
  { waiting, seen, isOwn = false }: Links,
): { readonly logs: readonly LogView[]; readonly links: Links } {
  const session = { ...sessionOf(waiting, { isOwn }), seen };
  const state = settled(session, { ...INITIAL_STATE, logs });
  return {
    logs: state.logs.length === logs.length ? state.logs : logs,
    links: { waiting: waitingTabs(session), seen: session.seen, isOwn },
  };
}
