import type { ReactNode } from 'react';
import { formatShare } from '../../../shared/text/format-value.ts';
import { addTransform, keepPackage } from '../../store/scope-actions.ts';
import { activeLog, isPartial } from '../../store/selectors.ts';
import { useWindow } from '../../store/window-store.ts';
import { Icon } from '../../widgets/icons.tsx';

/** Suggests to collapse a package that hides the rest. Not while the log is read, and not again once it was declined. */
export function CollapseHint(): ReactNode {
  const crowd = useWindow((state) => {
    const log = activeLog(state);
    if (log?.crowd === undefined || log.zoom !== undefined || isPartial(log)) return undefined;
    return log.keptPackages.includes(log.crowd.prefix) ? undefined : log.crowd;
  });
  if (crowd === undefined) return null;
  const { prefix, share } = crowd;
  const name = prefix.slice(0, -1);
  return (
    <span className="collapse-hint" data-testid="collapse-hint">
      <span className="collapse-text">
        {formatShare(share, 1, 0)} of frames are {name}
      </span>
      <button
        type="button"
        className="button button-small"
        data-tip={`Adjacent frames of ${name} become one frame`}
        onClick={() => addTransform({ kind: 'collapse', prefix, keys: 'fqmn' })}
      >
        Collapse
      </button>
      <button
        type="button"
        className="button button-small button-bare"
        aria-label={`Do not collapse ${name}`}
        data-tip="Do not suggest this again"
        onClick={() => keepPackage(prefix)}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}
