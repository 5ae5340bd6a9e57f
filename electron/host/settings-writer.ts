import { printable } from '../../shared/text/printable.ts';
import { replaceFile } from './replace-file.ts';

/** Writes a file of settings: see `replaceFile`. */
export type WriteSettings = (file: string, text: string) => void;

/** Tells the first failure, and no other one, because the next ones probably have the same cause. */
export function tellingWriter(tell: (sentence: string) => void): WriteSettings {
  let isTold = false;
  return (file, text) => {
    if (replaceFile(file, text) || isTold) return;
    isTold = true;
    tell(
      printable(`${file} cannot be written: settings, recent files and open logs are forgotten at the end.`),
    );
  };
}
