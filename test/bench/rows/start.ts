import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ROOT } from '../checkout.ts';
import { median } from '../median.ts';
import { leanscope, run } from '../processes.ts';
import type { Bench, BenchRow, Figure } from '../row.ts';

const READY_MS = 300;
const RENDERER_KB = 400;

export const START_ROWS: readonly BenchRow[] = [
  { id: 'serve-ready', what: '`serve`, from its start to its address', short: true, measure: serveReady },
  {
    id: 'renderer-bundle',
    what: 'JavaScript of the window, minified',
    short: true,
    measure: () => Promise.resolve(rendererBundle()),
  },
];

async function serveReady(bench: Bench): Promise<Figure[]> {
  const nothing: number[] = [];
  const ready: number[] = [];
  await millisecondsToAddress(bench.folder);
  for (let round = 0; round < (bench.short ? 5 : 11); round++) {
    nothing.push(run({ program: process.execPath, args: ['-e', '0'] }).seconds * 1000);
    ready.push(await millisecondsToAddress(bench.folder));
  }
  return [
    {
      id: 'ready',
      value: median(ready),
      unit: 'ms',
      goal: READY_MS,
      detail: { milliseconds: ready, nodeDoingNothing: nothing, nodeDoingNothingMedian: median(nothing) },
    },
  ];
}

/** Starts a server without a log, waits for the line with its address, and ends it. */
async function millisecondsToAddress(configFolder: string): Promise<number> {
  const { program, args } = leanscope('serve', '--no-open');
  const startedAt = performance.now();
  const server = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Its recent files are nobody else's.
    env: { ...process.env, XDG_CONFIG_HOME: configFolder },
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const milliseconds = await new Promise<number>((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (text: Buffer) => {
      said += text.toString();
      if (/http:\/\/\S+.*\n/.test(said)) resolve(performance.now() - startedAt);
    });
    server.once('exit', (code) => reject(new Error(`serve ended with ${code} before it gave an address`)));
  });
  server.kill();
  await ended;
  return milliseconds;
}

/** What shows a profile: the page, its mirror, and the flame graph's second painter, which the page asks for later. */
const SHOWING = /^(index|mirror-worker|settled-painter)-/;

/** All scripts that the page can ever load, and of these what it takes to show a profile, both flame painters included. */
function rendererBundle(): Figure[] {
  const folder = join(ROOT, 'dist/renderer');
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => ({ path, kilobytes: statSync(join(folder, path)).size / 1000 }));
  const sum = (some: typeof scripts): number => some.reduce((all, { kilobytes }) => all + kilobytes, 0);
  const workers = scripts.filter(({ path }) => /worker/i.test(path));
  const detail = Object.fromEntries(scripts.map(({ path, kilobytes }) => [path, kilobytes]));
  const showing = withImports(
    folder,
    scripts.map(({ path }) => path).filter((path) => SHOWING.test(basename(path))),
  );
  const shown = scripts.filter(({ path }) => showing.has(path));
  return [
    { id: 'shown', value: sum(shown), unit: 'kB', goal: RENDERER_KB, detail },
    { id: 'all', value: sum(scripts), unit: 'kB', goal: undefined },
    { id: 'mirror worker', value: sum(workers), unit: 'kB', goal: undefined },
  ];
}

/** Scripts, and all that they import at once; what they import when it is asked for is not among them. */
function withImports(folder: string, scripts: readonly string[]): ReadonlySet<string> {
  const loaded = new Set(scripts);
  for (const path of loaded) {
    const text = readFileSync(join(folder, path), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      loaded.add(join(dirname(path), imported));
  }
  return loaded;
}
