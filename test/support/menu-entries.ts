import { assert } from '../../shared/assert.ts';
import type { MenuEntry, MenuItem } from '../../renderer/widgets/Menu.tsx';

/** The entries of a menu and of the menus beside it, without separators. */
export function menuItems(entries: readonly MenuEntry[]): readonly MenuItem[] {
  return entries.flatMap((entry) =>
    entry === 'separator' ? [] : 'entries' in entry ? menuItems(entry.entries) : [entry],
  );
}

/** The entry of this text. */
export function menuItem(entries: readonly MenuEntry[], text: string): MenuItem {
  const found = menuItems(entries).find((entry) => entry.text === text);
  assert(found !== undefined, `the menu has an entry '${text}'`);
  return found;
}
