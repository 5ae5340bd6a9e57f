export interface KeyHelp {
  readonly title: string;
  readonly keys: readonly (readonly [keys: readonly string[], what: string])[];
}

/**
 * What the dialog of keyboard shortcuts lists. `Ctrl` is written as the platform does. A test compares every key with
 * what the window and its panes do with it.
 */
export function keyHelp(isMac: boolean): readonly KeyHelp[] {
  const control = (key: string): string => (isMac ? `⌘${key}` : `Ctrl ${key}`);
  return [
    {
      title: 'Window',
      keys: [
        [[control('O')], 'Open a file'],
        [[control('W')], 'Close the log'],
        [['[', ']', 'Ctrl Shift Tab', 'Ctrl Tab'], 'Previous, next log'],
        [[control('F'), '/'], 'Search'],
        [[control('Shift F')], 'Filter rows by name and numbers'],
        [['N', 'Shift N'], 'Next, previous match'],
        [['1', '2', '3', '4'], 'Call tree, methods, flame graph, all panes'],
        [['5'], 'Callers and callees as flame graphs'],
        [['F6', 'Shift F6'], 'Next, previous pane'],
        [['I'], 'Flame graph or icicle'],
        [['0'], 'Reset the zoom'],
        [['F'], 'Freeze or resume'],
        [['D'], 'Details'],
        [['Shift T'], 'Threads'],
        [['T'], 'Theme: system, light, dark'],
        [[control('S')], 'Save the flame graph as SVG'],
        [[control('Z'), control('Shift Z'), control('Y')], 'Undo, redo a change of the scope'],
        [['Esc'], 'Cancel an export, reset the zoom, clear the search'],
        [['?'], 'Keyboard shortcuts'],
      ],
    },
    {
      title: 'Call tree and methods',
      keys: [
        [['↑', '↓', 'PgUp', 'PgDn', 'Home', 'End'], 'Move'],
        [['→', '←'], 'Expand; collapse or go to the caller'],
        [['Space'], 'Call tree: expand or collapse'],
        [['*'], 'Expand all below'],
        [['H'], 'Expand the hot path'],
        [['Enter'], 'Callers and callees'],
        [['S'], 'Re-sort'],
        [['Shift F10', 'Menu'], 'Menu of the row'],
        [[control('C')], 'Copy the name of the row'],
      ],
    },
    {
      title: 'Scope: the selected method or frame',
      keys: [
        [['Shift F'], 'Focus: stacks begin there'],
        [['Shift M'], 'Merge it into its callers'],
        [['Del'], 'Drop samples with it'],
        [['Shift C'], 'Collapse its package'],
        [['R', 'Shift R'], 'Collapse recursion, only direct recursion'],
      ],
    },
    {
      title: 'Flame graph',
      keys: [
        [['↑', '↓', '←', '→'], 'Move between frames'],
        [['Home'], 'Go to the root'],
        [['Enter'], 'Callers and callees'],
        [['Space'], 'Zoom into the frame'],
        [['Backspace'], 'Zoom out by one frame'],
        [['Alt ←', 'Alt →'], 'Previous zoom, next zoom'],
        [[control('wheel')], 'Zoom in and out at the pointer'],
        [['0'], 'Reset the zoom'],
        [['Shift F10', 'Menu'], 'Menu of the frame'],
      ],
    },
  ];
}
