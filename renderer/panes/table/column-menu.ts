import { COLUMNS } from '../../../shared/engine/columns/column-list.ts';
import type { SizedColumn } from '../../store/column-layout.ts';
import { atMostEight, type MenuEntry, type MenuItem } from '../../widgets/Menu.tsx';
import { placeAfterMove } from './columns.ts';
import type { Columns } from './use-columns.ts';

/** The menus of further columns. Those of the first group are in the menu itself. */
const GROUP_TEXTS = {
  samples: 'Samples',
  value: 'Values',
  rates: 'Per second',
  times: 'Times',
  compared: 'Comparison',
} as const;

/** Which columns there are, or what can be done to the one whose title was clicked. */
export function columnMenu(
  columns: Columns,
  id: SizedColumn | undefined,
  fit: (id: SizedColumn) => number,
): readonly MenuEntry[] {
  const groups = new Map<keyof typeof GROUP_TEXTS, MenuItem[]>();
  for (const { id: each, group } of COLUMNS) {
    const column = columns.available.get(each);
    if (column === undefined) continue;
    const isShown = columns.isShown(each);
    const ofGroup = groups.get(group) ?? [];
    groups.set(group, ofGroup);
    ofGroup.push({
      text: column.title,
      checked: isShown,
      ...(columns.withoutSpace.includes(each) ? { hint: 'No space' } : {}),
      disabled: isShown && columns.columns.length + columns.withoutSpace.length === 1,
      run: () => columns.show([each], !isShown),
    });
  }
  const chosen = [...groups].flatMap(([group, entries], at): readonly MenuEntry[] =>
    at === 0 || entries.length === 1 ? entries : [{ text: GROUP_TEXTS[group], entries }],
  );
  const reset = { text: 'Reset columns', disabled: !columns.isChanged, run: columns.reset };
  if (id === undefined) return atMostEight([...chosen, reset]);
  const step = (by: 1 | -1): MenuItem => {
    const before = id === 'name' ? undefined : placeAfterMove(columns.columns, id, by);
    return {
      text: by < 0 ? 'Move left' : 'Move right',
      hint: by < 0 ? 'Ctrl Shift ←' : 'Ctrl Shift →',
      disabled: before === undefined,
      run: () => {
        if (id !== 'name' && before !== undefined) columns.move(id, before.before);
      },
    };
  };
  return [
    step(-1),
    step(1),
    { text: 'Fit width', run: () => columns.resize(id, fit(id)) },
    { text: 'Columns', entries: atMostEight(chosen) },
    reset,
  ];
}
