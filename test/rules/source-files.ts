import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsOf } from '../support/imports-of.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const GENERATED = new Set(['node_modules', '.git', 'dist', 'release', '.tsbuild', 'output', 'coverage']);

export interface SourceFile {
  /** From the checkout, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Files and packages that it imports, as types or at run time: paths like `path`, or names. */
  readonly imports: readonly string[];
}

/** Every file of the checkout that somebody wrote. */
export function writtenFiles(folder = ROOT): string[] {
  const files: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (GENERATED.has(entry.name) || entry.name.startsWith('dist.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...writtenFiles(path));
    else if (entry.isFile()) files.push(relative(ROOT, path).split(sep).join('/'));
  }
  return files;
}

/** The program's own TypeScript. */
export function sourceFiles(): SourceFile[] {
  return writtenFiles()
    .filter((path) => /^(shared|electron|renderer)\/.*\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const imports = importsOf(path, text).map((fileName) => {
        if (!fileName.startsWith('.')) return fileName;
        const target = resolve(ROOT, dirname(path), fileName.replace(/\?.*$/, ''));
        return relative(ROOT, target).split(sep).join('/');
      });
      return { path, text, imports };
    });
}
