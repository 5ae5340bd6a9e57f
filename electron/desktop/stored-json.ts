import { readFileSync, statSync } from 'node:fs';
import { replaceFile } from '../host/replace-file.ts';
import { setAside } from '../host/set-aside.ts';
import type { WriteSettings } from '../host/settings-writer.ts';

/** A larger file was not written by Leanscope. */
const MAX_BYTES = 4 << 20;

/** The fields of an object stored by `writeJson`; none if the file cannot be read. One that is damaged is set aside. */
export function readJson(file: string): Readonly<Record<string, unknown>> {
  let text: string | undefined;
  try {
    const stat = statSync(file);
    // Reading a pipe or a device may never end.
    text = stat.isFile() && stat.size <= MAX_BYTES ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return {};
  }
  const value = text === undefined ? undefined : parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  setAside(file);
  return {};
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** If the file cannot be written, the next start uses what was written before. */
export function writeJson(file: string, value: object, write: WriteSettings = replaceFile): void {
  write(file, JSON.stringify(value));
}
