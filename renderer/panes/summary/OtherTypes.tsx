import type { ReactNode } from 'react';
import { SAMPLE_TYPE_CHOICE, sampleTypeChoice } from '../../../shared/facts/choice.ts';
import type { NotAssessed } from '../../../shared/findings/finding.ts';
import { choose } from '../../store/actions/log-actions.ts';
import { activeLog } from '../../store/state/selectors.ts';
import { useWindow } from '../../store/state/window-store.ts';
import { Button } from '../../widgets/Button.tsx';

/** The sample types of the file that could be judged by more checks, to go there. */
export function OtherTypes({ notAssessed }: { readonly notAssessed: readonly NotAssessed[] }): ReactNode {
  const types = useWindow((state) => sampleTypeChoice(activeLog(state)?.status?.choices ?? [])?.options);
  const others = types?.filter(({ value }) => notAssessed.some((check) => check.choose === value)) ?? [];
  if (others.length === 0) return null;
  return (
    <p className="summary-note line wrap" data-testid="other-types">
      Look at
      {others.map(({ value, text, short = text }) => (
        <Button
          key={value}
          className="button-small"
          tip={`Show ${short}, and their findings`}
          onClick={() => choose(SAMPLE_TYPE_CHOICE, value)}
        >
          {short}
        </Button>
      ))}
    </p>
  );
}
