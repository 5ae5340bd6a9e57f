import type { FlameRow } from '../../shared/views/flame-layout.ts';

/**
 * Rows of a flame graph from a drawing: one frame a line, `name weight`, children two blanks further in; `*` behind a
 * name is a match, `~2 1` a block of two smaller frames that weighs 1. Rows come level by level, as the layout gives
 * them.
 */
export function flameRows(drawing: string): readonly FlameRow[] {
  const lines = drawing.split('\n').filter((line) => line.trim() !== '');
  const margin = Math.min(...lines.map((line) => line.search(/\S/)));
  const drawn = lines.map((line) => {
    const [name, weight] = line.trim().split(' ');
    return { name, weight: Number(weight), depth: (line.search(/\S/) - margin) / 2 };
  });
  const byLevel = [...drawn.keys()].sort((a, b) => drawn[a].depth - drawn[b].depth || a - b);
  const rows: FlameRow[] = [];
  const rowOf = new Map<number, number>();
  const used = new Map<number, number>();
  for (const line of byLevel) {
    const { name, weight, depth } = drawn[line];
    const parentLine = drawn.slice(0, line).findLastIndex((other) => other.depth === depth - 1);
    const parent = rowOf.get(parentLine) ?? -1;
    const start = parent < 0 ? 0 : rows[parent].start + (used.get(parent) ?? 0);
    used.set(parent, (used.get(parent) ?? 0) + weight);
    const isRemainder = name.startsWith('~');
    rowOf.set(line, rows.length);
    rows.push({
      id: isRemainder ? rows[parent].id : line,
      kind: isRemainder ? 'remainder' : parent < 0 ? 'all' : 'frame',
      label: isRemainder ? `${name.slice(1)} smaller frames` : name.replace('*', ''),
      parent,
      depth,
      weight,
      start,
      selfCount: 0,
      totalCount: weight,
      totalTime: 0,
      match: name.endsWith('*'),
      smaller: isRemainder ? Number(name.slice(1)) : 0,
    });
  }
  return rows;
}

/**
 *   all ───────────────────────────── 10
 *   a ──────────── 6   b ──── 3        1 smaller
 *   c ── 4  d ─ 2      e* ─── 3
 *   f* ─ 4
 */
export const SMALL_FLAME = flameRows(`
  all 10
    a 6
      c 4
        f* 4
      d 2
    b 3
      e* 3
    ~2 1
`);
