import type { ReactNode } from 'react';
import { enterPaneWhenShown } from '../panes/enter-pane.ts';
import { showOnly } from '../store/actions.ts';
import type { PaneId } from '../store/panes.ts';
import { currentPane } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';

const CHOICES = [
  { value: 'flame', text: 'Flame', hint: 'Flame graph (3)' },
  { value: 'flat', text: 'Methods', hint: 'Methods (2)' },
  { value: 'tree', text: 'Tree', hint: 'Call tree (1)' },
] as const;

/** Which pane a small window shows. */
export function PaneSwitch(): ReactNode {
  const pane = useWindow(currentPane);
  return (
    <SegmentedControl<PaneId>
      label="Pane"
      choices={CHOICES}
      value={pane}
      onChange={(chosen) => {
        showOnly(chosen);
        enterPaneWhenShown(chosen);
      }}
      testId="pane-switch"
    />
  );
}
