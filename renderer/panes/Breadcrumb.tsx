import type { ReactNode } from 'react';
import { shownLabel, splitFrameLabel } from '../../shared/text/format-frame.ts';
import './pane-bar.css';

interface BreadcrumbProps {
  readonly label: string;
  readonly testId?: string;
  /** The last one is what is shown; another one goes back to it. */
  readonly crumbs: readonly { readonly label: string; readonly run: () => void }[];
  /** Crumbs at the beginning that stay, and at most so many behind them. */
  readonly first: number;
  readonly most: number;
  /** Frames that the path itself leaves out after the first. */
  readonly leftOut?: number;
}

/** A path to what a pane shows. A long one leaves out its middle. */
export function Breadcrumb({ label, testId, crumbs, first, most, leftOut = 0 }: BreadcrumbProps): ReactNode {
  const from = Math.max(first, crumbs.length - most);
  const skipped = from - first + leftOut;
  const crumbAt = (at: number): ReactNode => {
    const crumb = crumbs[at];
    const isHere = at === crumbs.length - 1;
    return (
      <button
        key={`${at} ${crumb.label}`}
        type="button"
        className="crumb"
        aria-current={isHere ? 'location' : undefined}
        disabled={isHere}
        title={shownLabel(crumb.label)}
        onClick={crumb.run}
      >
        {shownLabel(splitFrameLabel(crumb.label).name)}
      </button>
    );
  };
  return (
    <nav className="breadcrumb" aria-label={label} data-testid={testId}>
      {crumbs.slice(0, first).map((_, at) => crumbAt(at))}
      {skipped > 0 && (
        <span className="crumb-skipped" data-tip={`${skipped} between`}>
          …
        </span>
      )}
      {crumbs.slice(from).map((_, at) => crumbAt(from + at))}
    </nav>
  );
}
