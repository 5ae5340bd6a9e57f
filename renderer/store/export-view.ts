import { compareFormat, type CompareFormatId } from '../../shared/export/compare-list.ts';
import { exportFileName, exportFormat, type ExportFormatId } from '../../shared/export/export-formats.ts';
import { comparedNames } from './compared-names.ts';
import { activeLog, isDark, shownColourBy, shownSort, shownThreads, unitsOf } from './selectors.ts';
import { zoomInForce } from './scope-history.ts';
import { services, useWindow } from './window-store.ts';

/** Exports the active log as it is on screen. The file is downloaded when the worker has written it. */
export function exportView(format: ExportFormatId): void {
  exportActive(format, undefined);
}

/** Exports what the active log is compared with, as the command line's `compare`. */
export function exportComparison(format: CompareFormatId): void {
  exportActive('svg', format);
}

function exportActive(format: ExportFormatId, compared: CompareFormatId | undefined): void {
  const state = useWindow.getState();
  const log = activeLog(state);
  if (log === undefined) return;
  const { preferences } = state;
  const id = state.nextNumber;
  const fileName = exportFileName(
    log.name,
    compared === undefined ? exportFormat(format) : compareFormat(compared),
  );
  const started = { id, log: log.key, fileName, share: 0 };
  useWindow.setState({ nextNumber: id + 1, exporting: [...state.exporting, started] });
  services().mirrors.post(log.key, {
    type: 'export',
    job: {
      id,
      format,
      compared,
      fileName,
      threads: shownThreads(log, preferences.threads),
      zoom: zoomInForce(log),
      isBottomUp: preferences.flame === 'bottom-up',
      pixels: state.flameWidth,
      theme: isDark(state) ? 'dark' : 'light',
      colourBy: shownColourBy(preferences),
      orientation: preferences.orientation,
      order: shownSort(log, preferences, preferences.sorts.flat),
      // The zoomed frame is named below the title, as in the command line's SVG.
      title: compared === undefined ? log.name : 'Profile comparison',
      names: comparedNames(state, log),
      units: unitsOf(log),
      facts: log.status,
    },
  });
}

/** Cancels an export and discards its output. */
export function cancelExport(id: number): void {
  useWindow.setState(({ exporting }) => ({ exporting: exporting.filter((each) => each.id !== id) }));
}

/** Saves a file that the host has made for this page. */
export function fetchDownload(id: string, name: string): void {
  const link = document.createElement('a');
  link.href = `/download/${id}`;
  link.download = name;
  link.click();
}

/** Saves a file: the browser's download, or the desktop's save dialog. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download starts in a later task and needs the URL until then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
