export interface KeyHelp {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, what: string])[];
}

/** What the help dialog lists; `Ctrl` is written as the platform does. */
export function keyHelp(isMac: boolean): readonly KeyHelp[] {
  const control = (key: string): string => (isMac ? `⌘${key}` : `Ctrl ${key}`);
  return [
    {
      title: 'Everywhere',
      keys: [
        [control('O'), 'Open a log'],
        [`${control('F')}  /`, 'Search'],
        ['N  Shift N', 'Next, previous match'],
        ['Esc', 'Cancel an export, leave the zoom, clear the search'],
        ['1  2  3  4', 'Tree, flat list, flame graph, all'],
        ['F6  Shift F6', 'Next, previous pane'],
        ['F', 'Freeze the view, or go on'],
        ['D', 'Details of the file'],
        ['T', 'Theme: system, light, dark'],
        [control('S'), 'Save the flame graph as SVG'],
        ['[  ]', 'Previous, next log'],
        [control('W'), 'Close the log'],
        ['?', 'These keys'],
      ],
    },
    {
      title: 'Tree and flat list',
      keys: [
        ['↑ ↓  PgUp PgDn', 'Move'],
        ['← →', 'Collapse or go to the caller, expand'],
        ['Enter', 'Expand or collapse; flat list: find in tree'],
        ['*', 'Expand all below'],
        ['H', 'Expand the hot path'],
        ['S', 'Sort again what has kept its place'],
        ['Shift F10', 'Menu of the row'],
        [control('C'), 'Copy the row’s name'],
      ],
    },
    {
      title: 'Flame graph',
      keys: [
        ['↑ ↓ ← →', 'Move between frames'],
        ['Enter  click', 'Zoom into the frame'],
        ['Backspace', 'Zoom out one frame'],
        ['0  Esc', 'Reset the zoom'],
        ['I', 'Root at the bottom or at the top'],
      ],
    },
  ];
}
