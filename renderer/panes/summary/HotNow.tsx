import { type ReactNode, useState } from 'react';
import type { RecentlyGrown } from '../../../shared/engine/views/recent-methods.ts';
import { formatCount, formatRate } from '../../../shared/text/format-value.ts';
import { goToMethod } from '../../store/actions/detail-actions.ts';
import { Name } from './Findings.tsx';

const MOST_ROWS = 5;

interface HotNowProps {
  /** undefined: not measured yet. */
  readonly recent: RecentlyGrown | undefined;
  readonly isHeld: boolean;
}

/** The methods that grew most in the last half minute, at a fixed place. What is under the pointer stays as it is. */
export function HotNow({ recent, isHeld }: HotNowProps): ReactNode {
  const [shown, setShown] = useState(recent);
  if (shown !== recent && !isHeld) setShown(recent);
  const { seconds, samples } = shown ?? { seconds: 0, samples: 0 };
  const rows = hottestNow(shown);
  const rate = formatRate(seconds > 0 ? samples / seconds : 0);
  return (
    <section className="summary-part summary-now" aria-label="Hot now" data-testid="hot-now">
      <h2>
        Hot now
        {seconds > 0 && ` · samples per second, ${rate} in the last ${Math.round(seconds)} s`}
      </h2>
      {rows.map(({ id, label, self, total }) => {
        const [own, all] = [self, total].map((count) => formatRate(count / seconds));
        return (
          <button
            key={id}
            type="button"
            className="summary-line"
            data-testid="hot-now-method"
            data-tip={`${label}: ${formatCount(self)} samples in itself, ${own}; ${all} with what it calls`}
            onClick={() => goToMethod({ of: 'methods', id, label })}
          >
            <span className="summary-share">{own.replace(' /s', '')}</span>
            <Name of={label} />
          </button>
        );
      })}
      {rows.length === 0 && <p className="summary-note">{seconds > 0 ? 'Nothing ran.' : 'Measuring…'}</p>}
    </section>
  );
}

/** The methods with most samples of their own of late, the hottest first. */
export function hottestNow(recent: RecentlyGrown | undefined): RecentlyGrown['methods'] {
  return (recent?.methods ?? [])
    .filter(({ self }) => self > 0)
    .toSorted((a, b) => b.self - a.self || b.total - a.total || (a.label < b.label ? -1 : 1))
    .slice(0, MOST_ROWS);
}
