/**
 * `npm run build`: the renderer, the Node side, the preload script and the sample log, into dist/.
 *
 * It is built beside dist/ and swapped in when all of it is there: a failed build leaves the last good one, and a
 * program that runs from dist/ never sees half of it. `--if-stale` leaves what is up to date, `--quiet` only warns.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isBuilt, rememberBuild, sourceState } from './freshness.mjs';
import { exclusively } from './lock.mjs';
import { notes, root } from './paths.mjs';

/** Builds everything. `logLevel` is Vite's; its messages go to standard output. */
async function build(logLevel = 'warn') {
  const state = sourceState();
  const { build: viteBuild } = await import('vite');
  const next = join(root, `dist.${process.pid}.new`);
  const old = join(root, `dist.${process.pid}.old`);
  const dist = join(root, 'dist');
  const part = (configFile, folder, mode) =>
    viteBuild({
      configFile: join(root, configFile),
      mode,
      logLevel,
      build: { outDir: join(next, folder), emptyOutDir: false },
    });
  try {
    await part('vite.node.config.ts', 'electron', 'node');
    await part('vite.node.config.ts', 'electron', 'preload');
    if (existsSync(join(root, 'renderer/index.html'))) await part('vite.config.ts', 'renderer', 'production');
    else console.error('no renderer/index.html: no renderer');
    mkdirSync(join(next, 'assets'));
    copyFileSync(join(root, 'assets/sample.hpl.gz'), join(next, 'assets/sample.hpl.gz'));
    copyFileSync(join(root, 'assets/icon.png'), join(next, 'assets/icon.png'));
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(next, dist);
    rememberBuild(state);
  } finally {
    rmSync(next, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const has = (flag) => process.argv.includes(flag);
  try {
    await exclusively(join(notes, 'build.lock'), async () => {
      if (!has('--if-stale') || !isBuilt()) await build(has('--quiet') ? 'warn' : 'info');
    });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
