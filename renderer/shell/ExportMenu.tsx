import type { ReactNode } from 'react';
import { EXPORT_MENU, exportFormat } from '../../shared/export/export-formats.ts';
import { saveRecording } from '../store/jvm-actions.ts';
import { exportView } from '../store/export-view.ts';
import { hasSamples } from '../store/selectors.ts';
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
      entries={[...recordingEntries(log), ...exportEntries(controlKey)]}
    />
  );
}

function recordingEntries({ hostLog, isRecording }: LogView): readonly MenuEntry[] {
  if (!isRecording || hostLog === undefined) return [];
  const run = (): void => saveRecording(hostLog);
  return [{ text: 'Recording as the JVM made it (JFR)', testId: 'save-recording', run }, 'separator'];
}

function exportEntries(controlKey: string): readonly MenuEntry[] {
  return EXPORT_MENU.flatMap((group, at): MenuEntry[] => {
    const entries = group.map((format) => ({
      text: exportFormat(format).label,
      ...(format === 'svg' ? { hint: `${controlKey}S` } : {}),
      testId: `export-${format}`,
      run: () => exportView(format),
    }));
    return at === 0 ? entries : ['separator', ...entries];
  });
}
