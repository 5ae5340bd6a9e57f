export function isSameZoom(a: FlameZoom | undefined, b: FlameZoom | undefined): boolean {
  return (
    isSameRow(a?.row, b?.row) &&
    isSameRow(a?.run?.first, b?.run?.first) &&
    isSameRow(a?.run?.last, b?.run?.last)
  );
}

function isSameRow(a: ZoomedRow | undefined, b: ZoomedRow | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return a.end === b.end && a.caller === b.caller;
}
import type { FlameZoom, ZoomedRow } from '../../shared/engine/query.ts';
