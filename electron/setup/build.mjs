/**
 * `npm run build`: builds the renderer, the Node side and the preload script into dist/, and copies the assets.
 *
 * Builds into a temporary folder and renames it to dist/ when it is complete: a failed build keeps the previous one,
 * and a program that runs from dist/ never sees an incomplete build. `--if-stale` skips a build that is up to date;
 * `--quiet` prints only warnings.
 */
import './node-version.mjs';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isBuilt, rememberBuild, sourceState } from './freshness.mjs';
import { exclusively } from './lock.mjs';
import { pageTemplate } from './page-template.mjs';
import { root, stateFolder } from './paths.mjs';

/** The file in which Vite lists the bundled packages with the text of each licence. */
const LICENCES = 'licences.json';

/** Joins all licences into one text, Leanscope's first. The desktop shows it: menu Help, Licences. */
function licencesOf(bundled) {
  const sections = [...new Map(bundled.map((entry) => [entry.name, entry])).values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, version, identifier, text }) => `${name} ${version} (${identifier})\n\n${text.trim()}`);
  const own = `Leanscope\n\n${readFileSync(join(root, 'LICENSE'), 'utf8').trim()}`;
  return [own, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`) + '\n';
}

/** Vite lists only packages of code. */
function licenceOfFont() {
  const folder = join(root, 'node_modules/@fontsource/ibm-plex-sans-condensed');
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name, version, identifier: license, text: readFileSync(join(folder, 'LICENSE'), 'utf8') };
}

/** The manual page and what shells need for completion, which packages of Linux install. */
function writeShellFiles(cli, folder) {
  mkdirSync(folder);
  const print = (...args) => execFileSync(process.execPath, [cli, ...args]);
  writeFileSync(join(folder, 'leanscope.1'), print('help', '--man'));
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(folder, `completion.${shell}`), print('completion', shell));
}

/** Builds everything. `logLevel` is Vite's; its messages go to standard output. */
async function build(logLevel = 'warn') {
  // The caller may have set another mode: a build started by a test would contain React's development version.
  process.env.NODE_ENV = 'production';
  const state = sourceState();
  const { build: viteBuild } = await import('vite');
  const next = join(root, `dist.${process.pid}.new`);
  const old = join(root, `dist.${process.pid}.old`);
  const dist = join(root, 'dist');
  const bundled = [];
  const part = async (configFile, folder, mode) => {
    const outDir = join(next, folder);
    await viteBuild({
      configFile: join(root, configFile),
      mode,
      logLevel,
      build: { outDir, emptyOutDir: false, license: { fileName: LICENCES } },
    });
    const packages = JSON.parse(readFileSync(join(outDir, LICENCES), 'utf8'));
    rmSync(join(outDir, LICENCES));
    bundled.push(...packages);
    return packages;
  };
  try {
    await part('vite.node.config.ts', 'electron', 'node');
    await part('vite.node.config.ts', 'electron', 'preload');
    await part('vite.config.ts', 'renderer', 'production');
    bundled.push(licenceOfFont());
    const packages = await part('vite.page.config.ts', 'page', 'production');
    writeFileSync(join(next, 'renderer/page.html'), await pageTemplate(join(next, 'page'), packages));
    rmSync(join(next, 'page'), { recursive: true });
    writeFileSync(join(next, 'renderer/licences.txt'), licencesOf(bundled));
    mkdirSync(join(next, 'assets'));
    for (const file of ['shop.hpl.gz', 'shop.jfr.gz', 'icon.png'])
      copyFileSync(join(root, 'assets', file), join(next, 'assets', file));
    writeShellFiles(join(next, 'electron/cli.cjs'), join(next, 'shell'));
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
    await exclusively(join(stateFolder, 'build.lock'), async () => {
      if (!has('--if-stale') || !isBuilt()) await build(has('--quiet') ? 'warn' : 'info');
    });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
