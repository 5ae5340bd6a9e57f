import type { ReactNode } from 'react';
import { closeDialog } from '../store/actions.ts';
import { useIsOpen } from '../store/window-store.ts';
import { Dialog } from '../widgets/Dialog.tsx';
import './help.css';

/** All keys and what they do. */
export function HelpDialog({ isMac }: { readonly isMac: boolean }): ReactNode {
  const isOpen = useIsOpen('help');
  return (
    <Dialog
      title="Keyboard shortcuts"
      isOpen={isOpen}
      onClose={() => closeDialog('help')}
      className="help"
      testId="keys"
    >
      <div className="help-columns">
        {keyHelp(isMac).map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.keys.map(([keys, what]) => (
                <div key={what}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

interface KeyHelp {
  readonly title: string;
  readonly keys: readonly (readonly [keys: readonly string[], what: string])[];
}

/**
 * The groups of keys that the dialog of keyboard shortcuts lists. `Ctrl` is written as the platform does. A test compares every key with
 * what the window and its panes do with it.
 */
export function keyHelp(isMac: boolean): readonly KeyHelp[] {
  const control = (key: string): string => (isMac ? `⌘${key}` : `Ctrl ${key}`);
  return [
    {
      title: 'Window',
      keys: [
        [[control('O')], 'Open a file'],
        [['Alt A'], 'Attach to a JVM'],
        [[control('W')], 'Close the log'],
        [[']', 'Ctrl Tab'], 'Next log'],
        [['[', 'Ctrl Shift Tab'], 'Previous log'],
        [[control('Shift PgUp')], 'Move the log left'],
        [[control('Shift PgDn')], 'Move the log right'],
        [['F2'], 'Rename the log in this window'],
        [[control('F'), '/'], 'Search'],
        [[control('Shift F')], 'Filter rows'],
        [['Alt N', 'Alt Shift N'], 'Next, previous match'],
        [['1', '2', '3', '4'], 'Tree, methods, flame graph, all'],
        [['5'], 'Callers and callees (sandwich)'],
        [['6'], 'Source of the selected method'],
        [['7'], 'Heatmap of the samples over time, on or off'],
        [['8'], 'Chart of the stacks over time, or the flame graph'],
        [['F6', 'Shift F6'], 'Next, previous pane'],
        [['Alt I'], 'Flame graph or icicle'],
        [['0'], 'Reset the zoom'],
        [['Alt ←', 'Alt →'], 'Previous, next zoom of the flame graph'],
        [['Alt Z'], 'Freeze or resume'],
        [
          ['Alt M'],
          'In a log that grows, compare new samples with those so far; in others, make the range the baseline',
        ],
        [['Alt C'], 'Compare with another tab, another sample type or a file'],
        [['Alt Enter'], 'Details'],
        [['Alt J'], 'Threads'],
        [['Alt Shift H'], 'Hot now: what grew most in the last 30 s'],
        [['Alt Y'], 'Theme: system, light, dark'],
        [[control('S')], 'Save the flame graph as SVG'],
        [[control('Z')], 'Undo the last change of the scope, or the last zoom'],
        [[control('Shift Z'), control('Y')], 'Redo it'],
        [['Esc'], 'Cancel an export, reset the zoom, clear the search, then the selection'],
        [['?'], 'Keyboard shortcuts'],
      ],
    },
    {
      title: 'Tabs of logs',
      keys: [
        [['←', '→'], 'Previous, next log'],
        [['Shift ←', 'Shift →'], 'Choose the neighbour, too, to merge, compare or close them'],
        [[control('←'), control('→')], 'Go to the neighbour'],
        [[control('Space'), control('Click')], 'Choose a tab, or not'],
        [['Shift Click'], 'Choose the tabs up to this one'],
        [[control('A'), 'Esc'], 'Choose all, none'],
        [['Delete'], 'Close the log, or those that are chosen'],
      ],
    },
    {
      title: 'Call tree and methods',
      keys: [
        [['↑', '↓', 'PgUp', 'PgDn', 'Home', 'End'], 'Move'],
        [['→', '←'], 'Expand; collapse or go to the caller'],
        [['Space'], 'Call tree: expand or collapse'],
        [['*'], 'Expand all below'],
        [['Alt ↓'], 'Expand the hot path'],
        [['Enter'], 'Callers and callees'],
        [['Alt L'], 'Split the method into its lines, or join them'],
        [['Alt O'], 'Re-sort'],
        [['A to Z'], 'Find a row by its name; ↑ ↓ to the others, Esc ends'],
        [['Shift F10', 'Menu'], 'Menu of the row'],
        [[control('C')], 'Copy the row: its name and numbers'],
      ],
    },
    {
      title: 'Column titles',
      keys: [
        [['←', '→', 'Home', 'End'], 'Move between titles'],
        [['Shift ←', 'Shift →'], 'Make the column narrower, wider'],
        [['Ctrl Shift ←', 'Ctrl Shift →'], 'Move the column'],
        [['Shift F10', 'Menu'], 'Menu of the columns'],
      ],
    },
    {
      title: 'Scope: the selected method or frame',
      keys: [
        [['Alt Shift F'], 'Focus: stacks begin there'],
        [['Alt Shift M'], 'Merge it into its callers'],
        [['Alt Shift K', 'Del'], 'Only samples with it, without it'],
        [['Alt Shift C', 'Alt Shift X'], 'Collapse its package, its class'],
        [['Alt Shift O'], 'Only frames whose names begin as entered'],
        [['Alt Shift S'], 'Stable names for lambdas, proxies and generated classes'],
        [['Alt R', 'Alt Shift R'], 'Collapse recursion, only direct recursion'],
      ],
    },
    {
      title: 'Samples over time: an end of the range',
      keys: [
        [['←', '→', '↑', '↓', 'PgUp', 'PgDn'], 'Move the range'],
        [['Home', 'End'], 'To the first, last sample'],
        [['Shift ←', 'Shift →'], 'Move only this end'],
        [['+', '-'], 'Zoom in and out; also by the wheel'],
        [['Esc'], 'Clear the range'],
        [[control('drag')], 'In the timeline: select the baseline'],
      ],
    },
    {
      title: 'Samples over time: measured values',
      keys: [
        [['←', '→', '↑', '↓', 'PgUp', 'PgDn'], 'Earlier, later'],
        [['Home', 'End'], 'To the first, last sample'],
      ],
    },
    {
      title: 'Heatmap',
      keys: [
        [['↑', '↓'], 'To the next, previous square in time'],
        [['←', '→', 'PgUp', 'PgDn'], 'By one column, by ten'],
        [['Home', 'End'], 'To the first, last sample'],
        [['Shift ↑', 'Shift ↓', 'Shift ←', 'Shift →'], 'Select a range from here'],
        [['Enter', 'Space'], 'Select the time of the square'],
        [['+', '-'], 'Finer, coarser squares'],
        [['Esc'], 'Clear the range'],
        [[control('drag')], 'Select the baseline'],
      ],
    },
    {
      title: 'Chart: as in a flame graph, and',
      keys: [
        [['+', '-'], 'Zoom in and out at the frame'],
        [['Shift ←', 'Shift →'], 'Earlier, later'],
        [['Space', 'Backspace'], 'Zoom into the frame, zoom out'],
      ],
    },
    {
      title: 'Source',
      keys: [
        [['↑', '↓', 'PgUp', 'PgDn', 'Home', 'End'], 'Move'],
        [['←', '→'], 'Previous, next line with samples'],
        [['Alt ↓'], 'Hottest line'],
        [['Enter'], 'Open in the editor'],
        [[control('C')], 'Copy the method with its file and line'],
      ],
    },
    {
      title: 'Flame graph',
      keys: [
        [['↑', '↓', '←', '→'], 'Move between frames'],
        [['Home'], 'Go to the root'],
        [['Enter'], 'Callers and callees'],
        [['Space'], 'Zoom into the frame'],
        [['Alt L'], 'Split the method into its lines, or join them'],
        [['Backspace'], 'Zoom out by one frame'],
        [[control('C')], 'Copy the frame: its name and numbers'],
        [[control('wheel')], 'Zoom in and out at the pointer'],
        [['Shift F10', 'Menu'], 'Menu of the frame'],
      ],
    },
  ];
}
