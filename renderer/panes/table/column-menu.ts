import { COLUMNS } from '../../../shared/engine/columns/column-list.ts';
import type { SizedColumn } from '../../store/column-layout.ts';
import type { MenuItem } from '../../widgets/Menu.tsx';
import { placeAfterMove } from './columns.ts';
import type { Columns } from './use-columns.ts';

type ColumnEntry = MenuItem | 'separator';

/** Which columns there are, and what can be done to the one whose title was clicked. */
export function columnMenu(
  columns: Columns,
  id: SizedColumn | undefined,
  fit: (id: SizedColumn) => number,
): readonly ColumnEntry[] {
  const entries: ColumnEntry[] = [];
  let last: string | undefined;
  for (const { id: each, group } of COLUMNS) {
    const column = columns.available.get(each);
    if (column === undefined) continue;
    if (group !== last && entries.length > 0) entries.push('separator');
    last = group;
    const isShown = columns.isShown(each);
    entries.push({
      text: column.title,
      checked: isShown,
      ...(columns.withoutSpace.includes(each) ? { hint: 'No space' } : {}),
      disabled: isShown && columns.columns.length + columns.withoutSpace.length === 1,
      run: () => columns.show([each], !isShown),
    });
  }
  entries.push('separator');
  if (id !== undefined) {
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
    entries.push(
      step(-1),
      step(1),
      { text: 'Fit width', run: () => columns.resize(id, fit(id)) },
      'separator',
    );
  }
  entries.push({ text: 'Reset columns', disabled: !columns.isChanged, run: columns.reset });
  return entries;
}
