/** Checks whether the installed packages and the build are up to date. Each check takes a few milliseconds. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, root, stateFolder } from './paths.mjs';

/** The state of sources and build after the last build. */
const buildStateFile = join(stateFolder, 'build.txt');

/** The files that the build reads. */
const sources = [
  'shared',
  'electron',
  'renderer',
  'assets',
  'vite.config.ts',
  'vite.node.config.ts',
  'vite.page.config.ts',
  'package-lock.json',
  'package.json',
];

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

/** True when every package of package-lock.json is in node_modules in that version; optional ones may be missing. */
export function isInstalled() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const installed = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional }]) =>
      path === '' ||
      installed[path]?.version === version ||
      (installed[path] === undefined && (optional === true || devOptional === true)),
  );
}

/** A hash of path, size and modification time of every source file. */
export function sourceState() {
  const hash = createHash('sha256');
  const visit = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isDirectory()) for (const name of readdirSync(join(root, path)).sort()) visit(`${path}/${name}`);
    else hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
  };
  for (const path of sources) visit(path);
  return hash.digest('hex');
}

const builtState = (state) => {
  const built = statSync(command, { throwIfNoEntry: false });
  return built === undefined ? undefined : `${state} ${built.mtimeMs}\n`;
};

/** Stores that the build is up to date. `state`: sourceState() before the build, so that later changes count as newer. */
export function rememberBuild(state) {
  mkdirSync(stateFolder, { recursive: true });
  writeFileSync(buildStateFile, builtState(state) ?? '');
}

export function isBuilt() {
  const expected = builtState(sourceState());
  try {
    return expected !== undefined && readFileSync(buildStateFile, 'utf8') === expected;
  } catch {
    return false;
  }
}
