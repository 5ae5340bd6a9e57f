import { readFileSync, statSync } from 'node:fs';
import { replaceFile } from '../host/replace-file.ts';

/** A larger file was not written by Leanscope. */
const MAX_BYTES = 4 << 20;

/** The fields of an object stored by `writeJson`; none if there is no such file or it is damaged. */
export function readJson(file: string): Readonly<Record<string, unknown>> {
  try {
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) return {};
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** If the file cannot be written, the next start uses what was written before. */
export function writeJson(file: string, value: object): void {
  replaceFile(file, JSON.stringify(value));
}
