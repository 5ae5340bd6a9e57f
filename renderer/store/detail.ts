import type { MethodRef } from '../../shared/engine/query.ts';
import type { LogView } from './window-state.ts';
import { withoutHalfZooms } from './panes.ts';

/** The log with callers and callees of another method: the last one of the path. A zoom was one of the method before. */
export function withDetail(log: LogView, detail: readonly MethodRef[]): LogView {
  return { ...log, detail, panes: withoutHalfZooms(log.panes) };
}
