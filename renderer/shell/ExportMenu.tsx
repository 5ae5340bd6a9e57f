import type { ReactNode } from 'react';
import { exportView } from '../store/export-view.ts';
import type { LogView } from '../store/window-state.ts';
import { MenuButton } from '../widgets/MenuButton.tsx';

/** What the log can be written as. */
export function ExportMenu({
  log,
  controlKey,
}: {
  readonly log: LogView;
  readonly controlKey: string;
}): ReactNode {
  return (
    <MenuButton
      label="Export"
      icon="export"
      text="Export"
      testId="export-menu"
      disabled={(log.summary?.samples ?? 0) === 0}
      entries={[
        {
          text: 'Flame graph (SVG)',
          hint: `${controlKey}S`,
          testId: 'export-svg',
          run: () => exportView('svg'),
        },
        { text: 'Collapsed stacks', testId: 'export-collapsed', run: () => exportView('collapsed') },
        'separator',
        { text: 'Methods (CSV)', testId: 'export-csv', run: () => exportView('csv') },
        { text: 'Methods (text)', testId: 'export-flat', run: () => exportView('flat') },
        { text: 'Call tree (text)', testId: 'export-tree', run: () => exportView('tree') },
        { text: 'Complete profile (text)', testId: 'export-lean', run: () => exportView('lean') },
        'separator',
        { text: 'pprof', testId: 'export-pprof', run: () => exportView('pprof') },
        { text: 'speedscope', testId: 'export-speedscope', run: () => exportView('speedscope') },
        { text: 'hprof', testId: 'export-hprof', run: () => exportView('hprof') },
        { text: 'TPTP trace', testId: 'export-trcbin', run: () => exportView('trcbin') },
      ]}
    />
  );
}
