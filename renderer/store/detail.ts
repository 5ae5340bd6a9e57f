import type { MethodRef } from '../profile-worker/pane-messages.ts';
import type { LogView } from './window-state.ts';
import { NO_HALF_ZOOMS } from './zoom-history.ts';

/** The log with callers and callees of another method: the last one of the path. A zoom was one of the method before. */
export function withDetail(log: LogView, detail: readonly MethodRef[]): LogView {
  return { ...log, detail, halfZooms: NO_HALF_ZOOMS };
}
