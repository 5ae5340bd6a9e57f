import type { FlameZoom } from '../profile-worker/pane-messages.ts';

export function isSameZoom(a: FlameZoom | undefined, b: FlameZoom | undefined): boolean {
  return a?.row === b?.row && a?.run?.first === b?.run?.first && a?.run?.last === b?.run?.last;
}
