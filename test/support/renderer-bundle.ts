import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Scripts needed to show a profile: the page, its worker, and the flame graph's second painter, which is loaded later.
 */
const SHOWING = /^(index|mirror-worker|settled-painter)-/;

export interface Script {
  /** From the folder of the built window. */
  readonly path: string;
  readonly kilobytes: number;
}

export interface RendererBundle {
  /** All scripts that the page can ever load. */
  readonly all: readonly Script[];
  /** Those needed to show a profile, with everything that they import statically. */
  readonly showing: readonly Script[];
}

/** The scripts of the built window. */
export function rendererBundle(folder: string): RendererBundle {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => ({ path, kilobytes: statSync(join(folder, path)).size / 1000 }));
  const loaded = new Set(all.map(({ path }) => path).filter((path) => SHOWING.test(basename(path))));
  for (const path of loaded) {
    const text = readFileSync(join(folder, path), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      loaded.add(join(dirname(path), imported));
  }
  return { all, showing: all.filter(({ path }) => loaded.has(path)) };
}

export const kilobytesOf = (scripts: readonly Script[]): number =>
  scripts.reduce((sum, { kilobytes }) => sum + kilobytes, 0);
