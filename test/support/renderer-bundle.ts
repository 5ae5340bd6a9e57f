import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Loaded by every window that shows a profile. */
const FIRST = ['index', 'mirror-worker'];
/** Loaded when a graph is small enough for it. */
const PAINTER = 'd3-painter';

export interface Script {
  /** From the folder of the built window. */
  readonly path: string;
  readonly kilobytes: number;
}

export interface RendererBundle {
  /** All scripts that the page can ever load. */
  readonly all: readonly Script[];
  /** The page and its worker, with everything that they import statically. */
  readonly first: readonly Script[];
  /** The same and the flame graph's second painter: all that is needed to show any profile. */
  readonly showing: readonly Script[];
}

/** The scripts of the built window. */
export function rendererBundle(folder: string): RendererBundle {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => ({ path, kilobytes: statSync(join(folder, path)).size / 1000 }));
  const withImports = (...names: readonly string[]): readonly Script[] => {
    const loaded = new Set(names.map((name) => builtAs(name, all)));
    for (const path of loaded) {
      const text = readFileSync(join(folder, path), 'utf8');
      for (const [, imported] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
        loaded.add(join(dirname(path), imported));
    }
    return all.filter(({ path }) => loaded.has(path));
  };
  return { all, first: withImports(...FIRST), showing: withImports(...FIRST, PAINTER) };
}

/** The script's name without its hash must be exact: otherwise a renamed script would no longer be counted. */
function builtAs(name: string, all: readonly Script[]): string {
  const found = all.filter(({ path }) => basename(path).replace(/-.{8}\.js$/, '') === name);
  if (found.length !== 1) throw new Error(`${found.length} scripts of the window are called ${name}`);
  return found[0].path;
}

export const kilobytesOf = (scripts: readonly Script[]): number =>
  scripts.reduce((sum, { kilobytes }) => sum + kilobytes, 0);
