import { NONE } from '../../shared/profile/columns.ts';
import type { RowValues } from '../../shared/engine/values/row-sums.ts';
import { compareKeys } from '../../shared/engine/trees/keys.ts';
import type { FlatProfile } from '../../shared/engine/views/flat-profile.ts';
import { type FlameLayout, flameRow } from '../../shared/engine/views/flame-columns.ts';

/** `- Shop.main 3 (self 1)`, children indented, sorted by label; rows of one label by what is below them. */
export function formatTree(values: RowValues, kept?: Uint8Array): string[] {
  const { tree } = values;
  const linesOf = (rows: readonly number[], indent: string): string[] =>
    rows
      .filter((row) => kept?.[row] !== 0 && values.isShown(row))
      .map((row) => {
        const children: number[] = [];
        for (let child = tree.firstChild(row); child !== NONE; child = tree.nextSibling(child))
          children.push(child);
        const label = tree.label(row);
        const line = `${indent}- ${label} ${values.totalCount[row]} (self ${values.selfCount[row]})`;
        return { label, lines: [line, ...linesOf(children, `${indent}  `)] };
      })
      .sort((a, b) => compareKeys(a.label, b.label) || compareKeys(a.lines.join('\n'), b.lines.join('\n')))
      .flatMap(({ lines }) => lines);
  return linesOf(tree.roots(), '');
}

/** `Shop.main 3 (self 1)`, sorted by label. */
export function formatFlat(flat: FlatProfile): string[] {
  return flat.keys.labels
    .map((label, key) => `${label} ${flat.totalCount[key]} (self ${flat.selfCount[key]})`)
    .sort();
}

/** A line per level: `Shop.main ████████`, each row as wide as it weighs. */
export function formatFlame(layout: FlameLayout): string[] {
  const levels: string[] = [];
  for (let at = 0; at < layout.length; at++) {
    const row = flameRow(layout, at);
    const cell = `[${row.label.slice(0, Math.max(row.weight * 8 - 2, 0)).padEnd(row.weight * 8 - 2)}]`;
    levels[row.depth] = (levels[row.depth] ?? '').padEnd(row.start * 8) + cell;
  }
  return levels;
}
