import type { ReactNode } from 'react';
import { cancelExport } from '../store/export-view.ts';
import type { ExportFormat } from '../store/window-state.ts';
import { useWindow } from '../store/window-store.ts';
import { Icon } from '../widgets/icons.tsx';

const WHAT: Readonly<Record<ExportFormat, string>> = {
  svg: 'flame graph',
  csv: 'flat list',
  flat: 'flat list',
  tree: 'call tree',
  collapsed: 'collapsed stacks',
  lean: 'whole profile',
  pprof: 'profile for pprof',
  speedscope: 'profile for speedscope',
  hprof: 'profile as hprof',
  trcbin: 'profile as a TPTP trace',
};

/** Files that are being written, should that take longer than a moment. */
export function RunningExports(): ReactNode {
  const exporting = useWindow((state) => state.exporting);
  return exporting.map(({ id, format, share }) => {
    const percent = Math.floor(share * 100);
    const text = `Exporting the ${WHAT[format]}`;
    return (
      <div key={id} className="notice running-export" data-testid="running-export">
        <Icon name="export" />
        <span>
          {text}: {percent} %
        </span>
        <button
          type="button"
          className="button"
          data-testid="cancel-export"
          data-tip="Cancel (Esc)"
          onClick={() => cancelExport(id)}
        >
          Cancel
        </button>
        <div
          className="progress"
          role="progressbar"
          aria-label={text}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <div style={{ transform: `scaleX(${share})` }} />
        </div>
      </div>
    );
  });
}
