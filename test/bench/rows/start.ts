import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { kilobytesOf, rendererBundle } from '../../support/renderer-bundle.ts';
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
    measure: () => Promise.resolve(windowScripts()),
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
    // A configuration folder of its own, so that its recent files are separate.
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

/** All scripts that the page can load, and the part needed to show a profile, both flame painters included. */
function windowScripts(): Figure[] {
  const { all, first, showing } = rendererBundle(join(ROOT, 'dist/renderer'));
  const workers = all.filter(({ path }) => /worker/i.test(path));
  const detail = Object.fromEntries(all.map(({ path, kilobytes }) => [path, kilobytes]));
  return [
    { id: 'shown', value: kilobytesOf(showing), unit: 'kB', goal: RENDERER_KB, detail },
    { id: 'without the painter of small graphs', value: kilobytesOf(first), unit: 'kB', goal: undefined },
    { id: 'all', value: kilobytesOf(all), unit: 'kB', goal: undefined },
    { id: 'mirror worker', value: kilobytesOf(workers), unit: 'kB', goal: undefined },
  ];
}
