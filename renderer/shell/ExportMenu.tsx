import type { ReactNode } from 'react';
import { COMPARE_FORMATS, COMPARE_MENU } from '../../shared/export/compare-formats.ts';
import { EXPORT_MENU, exportFormat } from '../../shared/export/export-formats.ts';
import { saveRecording } from '../store/jvm-actions.ts';
import { exportComparison, exportView } from '../store/export-view.ts';
import { hasSamples, hasSampleTimes } from '../store/selectors.ts';
import type { LogView } from '../store/window-state.ts';
import type { MenuEntry } from '../widgets/Menu.tsx';
import { MenuButton } from '../widgets/MenuButton.tsx';

/** Menu of the export formats. */
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
      disabled={!hasSamples(log)}
      entries={[
        ...(log.baseline === undefined ? [] : comparedEntries()),
        ...recordingEntries(log),
        ...exportEntries(controlKey, hasSampleTimes(log)),
      ]}
    />
  );
}

function recordingEntries({ hostLog, isRecording }: LogView): readonly MenuEntry[] {
  if (!isRecording || hostLog === undefined) return [];
  const run = (): void => saveRecording(hostLog);
  return [{ text: 'Recording as the JVM made it', testId: 'save-recording', run }, 'separator'];
}

/** While something is compared: the comparison, and behind it what is in scope alone. */
function comparedEntries(): readonly MenuEntry[] {
  return [
    ...COMPARE_MENU.map((format) => ({
      text: COMPARE_FORMATS[format].label,
      testId: `export-compared-${format}`,
      run: () => exportComparison(format),
    })),
    'separator',
  ];
}

function exportEntries(controlKey: string, hasTimes: boolean): readonly MenuEntry[] {
  return EXPORT_MENU.flatMap((group, at): MenuEntry[] => {
    const entries = group
      .filter((format) => hasTimes || format !== 'timeline')
      .map((format) => ({
        text: exportFormat(format).label,
        ...(format === 'svg' ? { hint: `${controlKey}S` } : {}),
        testId: `export-${format}`,
        run: () => exportView(format),
      }));
    return at === 0 ? entries : ['separator', ...entries];
  });
}
