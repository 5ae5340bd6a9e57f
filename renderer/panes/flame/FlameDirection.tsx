import type { ReactNode } from 'react';
import { chooseFlame } from '../../store/actions.ts';
import type { FlameChoice } from '../../store/preferences.ts';
import { useWindow } from '../../store/window-store.ts';
import { SegmentedControl } from '../../widgets/SegmentedControl.tsx';

const CHOICES = [
  { value: 'calls', text: 'Top-down', hint: 'From threads to where samples end' },
  { value: 'bottom-up', text: 'Bottom-up', hint: 'From where samples end to their callers' },
  { value: 'chart', text: 'Chart', hint: 'Stacks in the order in which they were sampled (8)' },
] as const;

/** What the place of the flame graph shows. */
export function FlameDirection(): ReactNode {
  const flame = useWindow((state) => state.preferences.flame);
  return (
    <SegmentedControl<FlameChoice>
      label="Direction"
      choices={CHOICES}
      value={flame}
      onChange={chooseFlame}
      testId="flame-direction"
    />
  );
}
