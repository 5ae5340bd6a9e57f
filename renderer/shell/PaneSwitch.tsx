import type { ReactNode } from 'react';
import { enterPaneWhenShown } from '../panes/enter-pane.ts';
import { showOnly } from '../store/actions.ts';
import type { Place } from '../store/preferences.ts';
import { currentPane, shownPanes } from '../store/selectors.ts';
import { useWindow } from '../store/window-store.ts';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';

const CHOICES = [
  { value: 'flame', text: 'Flame', hint: 'Flame graph (3)' },
  { value: 'flat', text: 'Methods', hint: 'Methods (2)' },
  { value: 'tree', text: 'Tree', hint: 'Call tree (1)' },
  { value: 'sandwich', text: 'Callers', hint: 'Callers and callees as flame graphs (5)' },
] as const;

/** Which pane a small window shows. */
export function PaneSwitch(): ReactNode {
  const place = useWindow(shownPanes);
  return (
    <SegmentedControl<Place>
      label="Pane"
      choices={CHOICES}
      value={place === 'all' ? 'flame' : place}
      onChange={(chosen) => {
        showOnly(chosen);
        enterPaneWhenShown(currentPane(useWindow.getState()));
      }}
      testId="pane-switch"
    />
  );
}
