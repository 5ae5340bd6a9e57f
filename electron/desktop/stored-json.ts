import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

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

/** Errors are ignored: a read-only or full disk must not keep the program from working. */
export function writeJson(file: string, value: object): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value));
  } catch {
    // The next start uses the defaults.
  }
}
