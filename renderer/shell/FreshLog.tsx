import type { ReactNode } from 'react';
import type { LogView } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';

interface FreshLogProps {
  /** May be older in what only panes read. */
  readonly of: LogView;
  readonly children: (log: LogView) => ReactNode;
}

/** Draws what needs each change of a log, so that what is around it need not. */
export function FreshLog({ of, children }: FreshLogProps): ReactNode {
  const log = useWindow((state) => state.logs.find(({ key }) => key === of.key));
  return log === undefined ? null : children(log);
}
