import { compareWithFiles } from '../store/compare-actions.ts';
import type { LogKey } from '../store/window-state.ts';

/** Shows the system's file dialog, and compares the log with what is chosen. */
export function chooseBaseFile(log: LogKey): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.onchange = () => compareWithFiles(log, [...(input.files ?? [])]);
  input.click();
}
