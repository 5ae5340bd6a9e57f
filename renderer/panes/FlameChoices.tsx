import type { ReactNode } from 'react';
import { choosePane } from '../store/actions.ts';
import { choicesOf, tabsOf } from '../store/panes.ts';
import { useWindow } from '../store/window-store.ts';
import { SegmentedControl } from '../widgets/SegmentedControl.tsx';

/** The choices of the place of the flame graph, in the bars of its panes. */
export function FlameChoices(): ReactNode {
  const flame = useWindow(({ preferences }) => preferences.flame);
  return (
    <SegmentedControl
      label="Direction"
      choices={tabsOf(choicesOf('flame'))}
      value={flame}
      onChange={(choice) => choosePane('flame', choice)}
      testId="flame-direction"
    />
  );
}
