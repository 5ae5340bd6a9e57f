import type { FakeWindow } from './fake-window.ts';

export interface FakeMenuItem {
  readonly label?: string;
  readonly role?: string;
  readonly type?: string;
  readonly accelerator?: string;
  readonly registerAccelerator?: boolean;
  readonly visible?: boolean;
  readonly enabled?: boolean;
  readonly checked?: boolean;
  readonly submenu?: readonly FakeMenuItem[];
  readonly click?: (item: FakeMenuItem, window: FakeWindow | null, event: object) => void;
}

const ROLES =
  'undo redo cut copy paste selectAll reload forceReload toggleDevTools resetZoom zoomIn zoomOut togglefullscreen minimize close help about quit appMenu windowMenu';
const TYPES: readonly (string | undefined)[] = [undefined, 'normal', 'separator', 'submenu', 'checkbox'];
const MODIFIERS = 'cmdorctrl commandorcontrol cmd command ctrl control alt option shift super meta';
const KEYS =
  'plus space tab backspace delete insert return enter up down left right home end pageup pagedown escape esc numadd numsub';

function isAccelerator(text: string): boolean {
  const tokens = text.toLowerCase().split('+');
  const key = tokens.at(-1)!;
  const isKey = KEYS.split(' ').includes(key) || /^(?:[\x21-\x7e]|f(?:[1-9]|1\d|2[0-4]))$/.test(key);
  return isKey && tokens.slice(0, -1).every((token) => MODIFIERS.split(' ').includes(token));
}

/** Throws where Electron's Menu.buildFromTemplate does. */
export function checkMenu(template: readonly FakeMenuItem[]): readonly FakeMenuItem[] {
  for (const item of template) {
    const { label, role, type, accelerator, submenu } = item;
    const name = label ?? role ?? type;
    if (name === undefined || name === '')
      throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
    if (role !== undefined && !ROLES.split(' ').includes(role)) throw new Error(`Unknown role ${role}`);
    if (!TYPES.includes(type)) throw new Error(`Unknown menu item type: ${String(type)}`);
    if (accelerator !== undefined && !isAccelerator(accelerator))
      throw new TypeError(`conversion failure from ${accelerator}`);
    if (submenu !== undefined) checkMenu(submenu);
  }
  return template;
}

/** A menu item by its labels or roles, such as 'File > Open…'. */
export function findItem(menu: readonly FakeMenuItem[], path: string): FakeMenuItem {
  let items = menu;
  let item: FakeMenuItem | undefined;
  for (const name of path.split(' > ')) {
    item = items.find(({ label, role }) => (label ?? role ?? '').replace('&', '') === name);
    if (item === undefined) throw new Error(`no menu item ${path}`);
    items = item.submenu ?? [];
  }
  return item!;
}

/** Every item of a menu and of its submenus. */
export const allItems = (menu: readonly FakeMenuItem[]): readonly FakeMenuItem[] =>
  menu.flatMap((item) => [item, ...allItems(item.submenu ?? [])]);
