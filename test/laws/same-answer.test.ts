import { expect, test } from 'vitest';
import type { ExportJob, MirrorEvent } from '../../renderer/profile-worker/mirror-messages.ts';
import { runExport } from '../../renderer/profile-worker/window-export.ts';
import { fragmentOf, readFragment } from '../../renderer/store/links/scope-address.ts';
import { Engine } from '../../shared/engine/engine.ts';
import { INITIAL_QUERY, type ProfileQuery } from '../../shared/engine/query.ts';
import { METRICS } from '../../shared/engine/values/metric.ts';
import { FRAME_GROUPINGS } from '../../shared/engine/trees/grouping.ts';
import { SAMPLES_AND_TIME } from '../../shared/profile/profile-units.ts';
import { sampleSpan } from '../../shared/profile/sample-table.ts';
import type { TimeRange, Transform } from '../../shared/scope/scope.ts';
import { kindOf } from '../../shared/scope/transforms.ts';
import { Driven, FLAT_SPEC, LOG } from '../support/driven-mirror.ts';
import { FollowedLog } from '../support/followed-log.ts';
import { formatFlat } from '../support/format-tree.ts';
import { randomScope } from '../support/random-scope.ts';
import { goldenPath, readLog } from '../support/read-log.ts';
import { readModel } from '../support/reference-model.ts';
import { runCli } from '../support/run-cli.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { testSeed } from '../support/test-seed.ts';
import { testSize } from '../support/test-size.ts';

const { seed, randomFor } = testSeed('same answer');

const QUERIES = testSize(15, 1_000);

const { profile } = readLog(LOG, undefined, { samples: true });
const MODEL = readModel(LOG);
const SPAN = sampleSpan(profile.samples!)!;

test(`${QUERIES} queries have one answer each: from the engine, the window, an export, a link and the command line`, async () => {
  const engine = new Engine();
  engine.add('log', profile);
  const log = new FollowedLog();
  log.append(LOG, true);
  const driven = new Driven({ type: 'pane', pane: 'flat', spec: FLAT_SPEC });
  driven.ask({ type: 'delta', message: log.delta() });
  let answered = 0;
  for (let scenario = 0; scenario < QUERIES; scenario++) {
    const query = randomQuery(randomFor(scenario));
    const fragment = fragmentFor(query);
    const where = `SEED=${seed} scenario ${scenario} ${fragment} ${query.metric}`;
    // A link says all but the metric, which is a setting of whoever opens it.
    const linked = queryOfLink(fragment, query);
    const asked = formatFlat(engine.view('log', query).flat(query.keys)).filter(isShown);
    expect(formatFlat(engine.view('log', linked).flat(linked.keys)).filter(isShown), where).toEqual(asked);
    expect(windowRows(driven, linked), where).toEqual(asked);
    const { status, stdout, stderr } = await runCli(argumentsOf(fragment, query));
    if (status !== 0) {
      expect([asked, status, stdout], where).toEqual([[], 1, '']);
      continue;
    }
    expect(stderr, where).toBe('');
    expect(await exported(driven, query), where).toBe(stdout);
    expect(stdout.trim().split(/\r?\n/).length, where).toBe(asked.length + 1);
    if (asked.length > 0) answered++;
  }
  expect(answered).toBeGreaterThan(QUERIES / 4);
});

/** A method that has a sample in scope: panes and files have no others. */
function isShown(line: string): boolean {
  return !line.endsWith(' 0 (self 0)');
}

function randomQuery(random: SeededRandom): ProfileQuery {
  const frames = random.pick(FRAME_GROUPINGS);
  const { threads, transforms } = randomScope(random, MODEL, frames);
  const keyed = transforms.map((transform) => ({ ...transform, keys: frames }) as Transform);
  const hasOnly = keyed.findIndex(({ kind }) => kind === 'only');
  return {
    ...INITIAL_QUERY,
    frames,
    keys: frames,
    metric: random.pick(METRICS),
    hidesErrors: random.below(2) === 0,
    scope: {
      threads,
      // Neither a link nor an option has an empty value, and all options --only are one transform.
      transforms: keyed.filter((transform, at) => {
        const values = kindOf(transform).values(transform);
        return values.every((value) => value !== '') && (transform.kind !== 'only' || at === hasOnly);
      }),
      range: randomRange(random),
    },
  };
}

function randomRange(random: SeededRandom): TimeRange | undefined {
  const { first, last } = SPAN;
  const time = (): bigint => first + ((last - first) * BigInt(random.below(1_000))) / 1_000n;
  const [one, other] = [time(), time()];
  if (random.below(2) === 0 || one === other) return undefined;
  const [from, to] = one < other ? [one, other] : [other, one];
  return {
    kind: 'between',
    from: random.below(3) === 0 ? undefined : String(from),
    to: String(to),
  };
}

function fragmentFor({ frames, scope, hidesErrors }: ProfileQuery): string {
  const log = { name: 'log', scope, hidesErrors, where: [], split: [], zoom: undefined };
  return fragmentOf({ frames, threads: undefined, logs: [log] });
}

function queryOfLink(fragment: string, { frames, metric }: ProfileQuery): ProfileQuery {
  const link = readFragment(fragment);
  // The link of everything is empty.
  if (link.logs.length === 0) return { ...INITIAL_QUERY, frames, keys: frames, metric };
  const [{ scope, hidesErrors = false }] = link.logs;
  const shown = { frames: link.frames, keys: link.frames };
  return { ...INITIAL_QUERY, ...shown, metric, scope, hidesErrors };
}

/** Options have the names of the fields of a link. */
function argumentsOf(fragment: string, { frames, metric }: ProfileQuery): readonly string[] {
  const options = [...new URLSearchParams(fragment.slice(1).replaceAll('+', '%2B'))].flatMap(
    ([name, value]) => {
      if (name === 'log' || name === 'frames') return [];
      if (name === 'hide-errors') return ['--hide-errors'];
      return [`--${name === 'or' ? 'only' : name}=${value}`];
    },
  );
  const rows = [`--frames=${frames}`, `--metric=${metric}`];
  return ['export', goldenPath('server-small'), '--format=csv', ...rows, ...options];
}

function windowRows(driven: Driven, query: ProfileQuery): readonly string[] {
  driven.ask({ type: 'view', ...query }, { type: 'rows', pane: 'flat', from: 0, count: 10_000, turn: 1 });
  return driven
    .shown('flat')
    .rows.map(({ label, totalCount, selfCount }) => `${label} ${totalCount} (self ${selfCount})`)
    .sort();
}

/** The file that the window writes. */
async function exported(driven: Driven, { metric }: ProfileQuery): Promise<string> {
  const job: ExportJob = {
    id: 1,
    format: 'csv',
    compared: undefined,
    fileName: 'a.csv',
    title: '',
    threads: 'all',
    zoom: undefined,
    isBottomUp: false,
    pixels: 1200,
    theme: 'light',
    colourBy: 'package',
    orientation: 'flame',
    names: { base: '', next: '' },
    units: SAMPLES_AND_TIME,
    facts: undefined,
    order: { by: metric === 'time' ? 'selfTime' : 'selfCount', descending: true },
  };
  driven.ask({ type: 'export', job });
  const events: MirrorEvent[] = [];
  await runExport(driven.last('exportSource').source, (event) => events.push(event));
  const last = events.at(-1);
  if (last?.type !== 'exported') throw new Error('the export has not ended');
  return last.content.text();
}
