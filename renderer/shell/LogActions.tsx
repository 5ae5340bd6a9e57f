import type { ReactNode } from 'react';
import { openDetails, toggleFreeze } from '../store/actions.ts';
import { exportView } from '../store/export-view.ts';
import type { LogView } from '../store/window-state.ts';
import { Icon } from '../widgets/icons.tsx';
import { MenuButton } from '../widgets/MenuButton.tsx';

/** What can be done with the log. */
export function LogActions({
  log,
  controlKey,
}: {
  readonly log: LogView;
  readonly controlKey: string;
}): ReactNode {
  const { status } = log;
  const hasDetails = status?.format !== undefined;
  return (
    <>
      {hasDetails && (
        <button
          type="button"
          className="button"
          data-testid="details-button"
          data-tip="What is in this file, and what it cannot tell (D)"
          onClick={() => openDetails(true)}
        >
          <Icon name="info" />
          <span className="button-text">Details</span>
        </button>
      )}
      {log.hostLog !== undefined && (
        <button
          type="button"
          className={log.frozen ? 'button button-on' : 'button'}
          data-testid="freeze"
          aria-pressed={log.frozen}
          data-tip={log.frozen ? 'Show what is new (F)' : 'Hold the view still; reading goes on (F)'}
          onClick={toggleFreeze}
        >
          <Icon name={log.frozen ? 'resume' : 'freeze'} />
          <span className="button-text">{log.frozen ? 'Resume' : 'Freeze'}</span>
        </button>
      )}
      <MenuButton
        label="Export"
        icon="export"
        text="Export"
        testId="export-menu"
        disabled={(log.summary?.samples ?? 0) === 0}
        entries={[
          {
            text: 'Flame graph as SVG',
            hint: `${controlKey}S`,
            testId: 'export-svg',
            run: () => exportView('svg'),
          },
          { text: 'Collapsed stacks', testId: 'export-collapsed', run: () => exportView('collapsed') },
          'separator',
          { text: 'Flat list as CSV', testId: 'export-csv', run: () => exportView('csv') },
          { text: 'Flat list as text', testId: 'export-flat', run: () => exportView('flat') },
          { text: 'Call tree as text', testId: 'export-tree', run: () => exportView('tree') },
          'separator',
          { text: 'Profile for pprof', testId: 'export-pprof', run: () => exportView('pprof') },
          {
            text: 'Profile for speedscope',
            testId: 'export-speedscope',
            run: () => exportView('speedscope'),
          },
          { text: 'Profile as hprof', testId: 'export-hprof', run: () => exportView('hprof') },
          { text: 'Profile as TPTP trace', testId: 'export-trcbin', run: () => exportView('trcbin') },
          { text: 'Whole profile (lean)', testId: 'export-lean', run: () => exportView('lean') },
        ]}
      />
    </>
  );
}
