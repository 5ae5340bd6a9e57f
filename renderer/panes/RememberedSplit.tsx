import type { ReactNode } from 'react';
import { keepSplit } from '../store/actions.ts';
import type { SplitName } from '../store/preferences.ts';
import { useWindow } from '../store/window-store.ts';
import { SplitView } from '../widgets/SplitView.tsx';

interface RememberedSplitProps {
  /** Under which its share is stored for the next window. */
  readonly name: SplitName;
  readonly direction: 'rows' | 'columns';
  /** Accessible name of the bar between the two parts. */
  readonly label: string;
  /** Percent of the first part, until the user changes it and after a double click. */
  readonly usualShare: number;
  /** CSS pixels that each part keeps at least. */
  readonly leastSize: number;
  readonly children: readonly [first: ReactNode, second: ReactNode];
}

/** Two parts whose shares are a preference. */
export function RememberedSplit({ name, children, ...view }: RememberedSplitProps): ReactNode {
  const share = useWindow(({ preferences }) => preferences.splits[name] ?? view.usualShare);
  return (
    <SplitView {...view} share={share} onShare={(chosen) => keepSplit(name, chosen)}>
      {children}
    </SplitView>
  );
}
