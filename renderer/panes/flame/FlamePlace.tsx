import type { ReactNode } from 'react';
import { keepSplit } from '../../store/actions.ts';
import { detailOf, wholeFlame } from '../../store/selectors.ts';
import type { LogView } from '../../store/window-state.ts';
import { useWindow } from '../../store/window-store.ts';
import { SplitView } from '../../widgets/SplitView.tsx';
import { NoDetail } from '../rows/DetailPanes.tsx';
import { FlamePane } from './FlamePane.tsx';

const USUAL_SHARE = 50;

/** The place of the flame graph: top-down, or bottom-up. */
export function FlamePlace({ log }: { readonly log: LogView }): ReactNode {
  const pane = useWindow(wholeFlame);
  return <FlamePane key={pane} pane={pane} log={log} />;
}

/** The callers of a method as a flame graph, and below it, from the same frame on, what it calls. */
export function SandwichPlace({ log }: { readonly log: LogView }): ReactNode {
  const share = useWindow((state) => state.preferences.splits.sandwich ?? USUAL_SHARE);
  if (detailOf(log) === undefined) return <NoDetail />;
  return (
    <SplitView
      direction="rows"
      label="Resize the callers"
      share={share}
      usualShare={USUAL_SHARE}
      leastSize={80}
      onShare={(chosen) => keepSplit('sandwich', chosen)}
    >
      <FlamePane pane="callersFlame" log={log} />
      <FlamePane pane="calleesFlame" log={log} />
    </SplitView>
  );
}
