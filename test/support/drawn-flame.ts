import { FlameBuilder, KIND, type FlameLayout } from '../../shared/engine/views/flame-columns.ts';

/**
 * A flame graph from a drawing: one frame a line, `name weight`, children two blanks further in; `*` after a name is a
 * match, `~2 1` a block of two narrow frames that weighs 1; `~2^5 1` reaches up to level 4.
 */
export function flameOf(drawing: string, pixels = 100): FlameLayout {
  const lines = drawing.split('\n').filter((line) => line.trim() !== '');
  const margin = Math.min(...lines.map((line) => line.search(/\S/)));
  const drawn = lines.map((line) => {
    const [name, weight] = line.trim().split(' ');
    return { name, weight: Number(weight), depth: (line.search(/\S/) - margin) / 2 };
  });
  const byLevel = [...drawn.keys()].sort((a, b) => drawn[a].depth - drawn[b].depth || a - b);
  const builder = new FlameBuilder(pixels);
  const whole = drawn[0]?.weight ?? 0;
  const rowOf = new Map<number, number>();
  const used = new Map<number, number>();
  let level = 0;
  for (const line of byLevel) {
    const { name, weight, depth } = drawn[line];
    if (depth > level) {
      builder.endLevel();
      level = depth;
    }
    const parentLine = drawn.slice(0, line).findLastIndex((other) => other.depth === depth - 1);
    const parent = rowOf.get(parentLine) ?? -1;
    const start = parent < 0 ? 0 : builder.start[parent] + (used.get(parent) ?? 0);
    used.set(parent, (used.get(parent) ?? 0) + weight);
    const block = /^~(\d+)\^?(\d*)(\*?)$/.exec(name);
    const kind = block !== null ? KIND.block : parent < 0 ? KIND.all : KIND.frame;
    const row = builder.append(kind, block !== null ? '' : name.replace('*', ''), parent, start, weight);
    rowOf.set(line, row);
    builder.id[row] = builder.lastId[row] = line;
    builder.totalCount[row] = weight;
    if (block !== null) {
      builder.grouped[row] = Number(block[1]);
      builder.openColumns(row, start, weight, whole);
      builder.fillColumns(
        start,
        start + weight,
        whole,
        block[2] === '' ? depth + 1 : Number(block[2]),
        block[3] === '*',
      );
    } else if (name.endsWith('*')) builder.markMatch(row);
  }
  if (lines.length > 0) builder.endLevel();
  return builder.layout();
}

/**
 *   all ───────────────────────────── 10
 *   a ──────────── 6   b ──── 3        block of 2
 *   c ── 4  d ─ 2      e* ─── 3        reaches up to here
 *   f* ─ 4
 */
export const SMALL_FLAME = flameOf(`
  all 10
    a 6
      c 4
        f* 4
      d 2
    b 3
      e* 3
    ~2^3 1
`);
