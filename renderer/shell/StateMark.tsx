import type { ReactNode } from 'react';
import { Icon } from '../widgets/icons.tsx';
import type { Tone } from './log-state.ts';

/** The state of a log as a coloured dot. What is wrong has another shape, not only another colour. */
export function StateMark({ tone, title }: { readonly tone: Tone; readonly title?: string }): ReactNode {
  return (
    <span className={`state-mark tone-${tone}`} title={title} aria-hidden="true">
      {tone === 'problem' || tone === 'warning' ? <Icon name="warning" /> : <span className="state-dot" />}
    </span>
  );
}
