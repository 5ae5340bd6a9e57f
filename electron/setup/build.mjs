/**
 * `npm run build`: the renderer, the Node side, the preload script and the sample log, into dist/.
 *
 * It is built beside dist/ and swapped in when all of it is there: a failed build leaves the last good one, and a
 * program that runs from dist/ never sees half of it.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';
import { rememberBuild, sourceState } from './freshness.mjs';

/** Builds everything. `logLevel` is Vite's; its messages go to standard output. */
export async function build(logLevel = 'warn') {
  const state = sourceState();
  const { build: viteBuild } = await import('vite');
  const next = join(root, `dist.${process.pid}.new`);
  const old = join(root, `dist.${process.pid}.old`);
  const dist = join(root, 'dist');
  const part = (configFile, folder, mode) =>
    viteBuild({
      root,
      configFile: join(root, configFile),
      mode,
      logLevel,
      build: { outDir: join(next, folder), emptyOutDir: false },
    });
  try {
    await part('vite.node.config.ts', 'electron', 'node');
    await part('vite.node.config.ts', 'electron', 'preload');
    if (existsSync(join(root, 'vite.config.ts'))) await part('vite.config.ts', 'renderer', 'production');
    else console.error('no vite.config.ts: no renderer');
    mkdirSync(join(next, 'assets'));
    copyFileSync(join(root, 'assets/sample.hpl.gz'), join(next, 'assets/sample.hpl.gz'));
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(next, dist);
    rememberBuild(state);
  } finally {
    rmSync(next, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  await build(process.argv.includes('--quiet') ? 'warn' : 'info');
