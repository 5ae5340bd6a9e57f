import type { OperationsData } from '../../../shared/answers/schemas.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliOutput, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { nsOf, PRINTED } from '../../support/requests-recording.ts';

const file = 'test/golden/jfr/requests-jdk25.jfr.gz';

const durationOf = ({ duration }: { readonly duration: string }): number => Number(duration.slice(2, -1));

/** The printed samples inside a printed context that is wanted, by comparing all with all. */
function samplesIn(wanted: (context: (typeof PRINTED.contexts)[number]) => boolean): number {
  const contexts = PRINTED.contexts.filter(wanted).map((context) => ({
    thread: context.thread,
    from: nsOf(context.startTime),
    to: nsOf(context.startTime) + BigInt(Math.round(durationOf(context) * 1e9)),
  }));
  return PRINTED.samples.filter(({ thread, startTime }) => {
    const at = nsOf(startTime);
    return contexts.some((context) => context.thread === thread && at >= context.from && at < context.to);
  }).length;
}

async function samplesOf(...scope: readonly string[]): Promise<number> {
  const { whole } = JSON.parse(await cliOutput('top', file, '--json', ...scope)) as {
    whole: { samples: number };
  };
  return whole.samples;
}

describe('a recording of JDK 25 with contextual events', () => {
  test('samples of an operation, of a customer, and of one trace are those that `jfr print` has in it', async () => {
    const checkouts = samplesIn(({ operation }) => operation === 'checkout');
    expect(checkouts).toBeGreaterThan(50);
    expect(await samplesOf('--context', 'operation=checkout')).toBe(checkouts);
    expect(await samplesOf('--context', 'operation=/^(checkout|store)$/')).toBe(checkouts);
    expect(await samplesOf('--context', 'customer=gold')).toBe(
      samplesIn(({ customer }) => customer === 'gold'),
    );
    const price = samplesIn(({ event }) => event === 'jdk.MethodTrace');
    expect(await samplesOf('--context', 'operation=Requests.price()')).toBe(price);
    const sampled = PRINTED.contexts.find(
      ({ id }) => id !== undefined && samplesIn((each) => each.id === id) > 2,
    );
    expect(await samplesOf('--context', `trace=${sampled?.id}`)).toBe(
      samplesIn(({ id }) => id === sampled?.id),
    );
  });

  test('the slowest of an operation, also with an attribute of the trace around it', async () => {
    const checkouts = PRINTED.contexts.filter(({ operation }) => operation === 'checkout').map(durationOf);
    const least = checkouts.toSorted((a, b) => b - a)[Math.round(checkouts.length * 0.05) - 1];
    const slow = samplesIn((context) => context.operation === 'checkout' && durationOf(context) >= least);
    expect(slow).toBeGreaterThan(5);
    expect(await samplesOf('--context', 'operation=checkout', '--slower', '95%')).toBe(slow);
    const all = await samplesOf('--context', 'operation=checkout');
    const gold = await samplesOf('--context', 'operation=checkout', '--context', 'customer=gold');
    const other = await samplesOf('--context', 'operation=checkout', '--context', 'customer=other');
    expect(gold + other).toBe(all);
    expect(gold).toBeGreaterThan(0);
  });

  test('those that took so long, and began then', async () => {
    const first = PRINTED.samples.map(({ startTime }) => nsOf(startTime)).reduce((a, b) => (a < b ? a : b));
    const after = ({ startTime }: (typeof PRINTED.contexts)[number]): number =>
      Number(nsOf(startTime) - first) / 1e9;
    const slow = samplesIn((each) => durationOf(each) >= 0.1 && durationOf(each) < 0.3);
    expect(slow).toBeGreaterThan(20);
    expect(await samplesOf('--took', '100ms..300ms')).toBe(slow);
    const early = samplesIn((each) => each.operation === 'checkout' && after(each) >= 2 && after(each) < 5);
    expect(early).toBeGreaterThan(20);
    const began = ['--context', 'operation=checkout', '--began', '2s..0:05'];
    expect(await samplesOf(...began)).toBe(early);
    // Compared with all others, whatever their operation.
    const inAny = samplesIn(() => true);
    const report = await cliOutput('compare', file, file, ...began, '--took-base', '..');
    expect(report).toContain('requests-jdk25.jfr.gz (took ..)');
    expect(report).toMatch(new RegExp(` ${inAny - early} +base .*\n +${early} +new `));
    expect(await samplesOf('--took', '..')).toBe(inAny);
    // Each part of the time, as it is named.
    const every = await cliOutput('operations', file, '--every', '2s', '--json', ...began.slice(0, 2));
    const { rows } = JSON.parse(every) as OperationsData;
    const text = await cliOutput('operations', file, '--every', '2s');
    expect(text).toMatch(/^began 2026-11-28 UTC +count .*\n16:58:4\d +\d/);
    const checkouts = PRINTED.contexts.filter(({ operation }) => operation === 'checkout');
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(checkouts.length);
    for (const { name, count, longest, samples, began: part = '' } of rows) {
      const own = checkouts.filter(
        ({ startTime }) =>
          nsOf(startTime) / 2_000_000_000n === nsOf(`${name.replace(' ', 'T')}Z`) / 2_000_000_000n,
      );
      expect([name, count]).toEqual([name, own.length]);
      expect(longest).toBeCloseTo(Math.max(...own.map(durationOf)), 6);
      expect(await samplesOf('--context', 'operation=checkout', '--began', part)).toBe(samples);
    }
  });

  test('the slow ones are compared with the rest', async () => {
    const checkout = ['--context', 'operation=checkout'];
    const slow = await samplesOf(...checkout, '--slower', '95%');
    const all = await samplesOf(...checkout);
    const sides = ['--slower', '95%', '--context-base', 'operation=checkout'];
    const report = await cliOutput('compare', file, file, ...checkout, ...sides);
    expect(report).toContain('requests-jdk25.jfr.gz (context operation=checkout, slower 95%)');
    expect(report).toMatch(new RegExp(`\\b${all - slow}\\b`));
    expect(report).toMatch(/Requests\.reindex/);
    const durations = PRINTED.contexts
      .filter(({ operation }) => operation === 'checkout')
      .map((each) => 1e3 * durationOf(each))
      .toSorted((a, b) => a - b);
    const [base, next] = [durations.slice(0, -15), durations.slice(-15)];
    const median = (of: readonly number[]): string => of[Math.ceil(of.length / 2) - 1].toPrecision(3);
    expect(report).toContain(
      `Requests of checkout, ${base.length} → 15: p50 ${median(base)} ms → ${median(next)} ms, `,
    );
  });

  test('operations have the durations and the samples that `jfr print` says', async () => {
    const text = await cliOutput('operations', file, '--json');
    const { rows, keys, unsampled } = JSON.parse(text) as OperationsData;
    expect(keys).toEqual(['operation', 'Trace.id', 'customer', 'attempt']);
    expect(new Set(rows.map(({ name }) => name))).toEqual(
      new Set(['checkout', 'search', 'store', 'Trace', 'Requests.price()']),
    );
    const sampled = new Set(PRINTED.samples.map(({ thread }) => thread));
    expect(unsampled.count).toBe(PRINTED.contexts.filter(({ thread }) => !sampled.has(thread)).length);
    for (const { name, count, samples, longest, p50 } of rows) {
      const isOf = ({ event, operation }: (typeof PRINTED.contexts)[number]): boolean =>
        operation === undefined
          ? name === (event === 'shop.Trace' ? 'Trace' : 'Requests.price()')
          : operation === name;
      const durations = PRINTED.contexts
        .filter(isOf)
        .map(durationOf)
        .toSorted((a, b) => a - b);
      expect([name, count, samples]).toEqual([name, durations.length, samplesIn(isOf)]);
      expect(longest).toBeCloseTo(durations.at(-1)!, 6);
      expect(p50).toBeCloseTo(durations[Math.ceil(durations.length / 2) - 1], 6);
    }
    const byCustomer = await cliOutput(
      'operations',
      file,
      '--by',
      'Customer',
      '--context',
      'operation=search',
    );
    expect(byCustomer).toMatch(/^customer +count +mean/);
    expect(byCustomer).toMatch(/^gold +30 /m);
    const { status, stderr } = await runCli(['operations', file, '--by', 'tenant']);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/it is one of operation, Trace\.id, customer/),
    ]);
  });

  test('a dataset has the samples of some requests', async () => {
    const dir = join(temporaryFolder(), 'dataset');
    const checkout = ['--context', 'operation=checkout'];
    for (const every of [[], ['--every', '1s']]) {
      await cliOutput('export', file, '--format', 'dataset', '-o', dir, ...checkout, ...every);
      const { whole } = JSON.parse(await cliOutput('top', dir, '--json')) as {
        whole: { samples: number };
      };
      expect(whole.samples, every.join()).toBe(await samplesOf(...checkout));
      rmSync(dir, { recursive: true });
    }
  });

  test('what leaves nothing says why', async () => {
    const problemOf = async (...scope: readonly string[]) => (await runCli(['top', file, ...scope])).stderr;
    expect(await problemOf('--context', 'checkout')).toMatch(
      /--context cannot be 'checkout': it is KEY=VALUE/,
    );
    expect(await problemOf('--context', 'custmer=gold')).toMatch(
      /no request has the attribute custmer; .*; did you mean 'customer'\?/,
    );
    expect(await problemOf('--context', 'customer=iron')).toMatch(/no request has the customer iron$/m);
    expect(await problemOf('--context', 'operation=chekout')).toMatch(
      /no request has the operation chekout; did you mean 'checkout'\?/,
    );
    expect(await problemOf('--context', 'customer=/iron/')).toMatch(
      /no sample was taken in a request with customer=\/iron\//,
    );
    expect(await problemOf('--slower', '100')).toMatch(/a percentage above 0 and below 100/);
    expect(await problemOf('--took', '2s..1s')).toMatch(/--took cannot be '2s..1s': it is two durations/);
    expect(await problemOf('--took', '1h..')).toMatch(/in a request with 1 h 00 m or longer/);
    const both = await runCli(['operations', file, '--every', '1s', '--by', 'customer']);
    expect(both.stderr).toMatch(/--every makes parts of the time, and --by others/);
    const { status, stderr } = await runCli(['top', 'test/golden/jvm/jdk25.film.gz', '--slower', '99%']);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/it has no requests, operations or spans/)]);
  });
});

describe('grouping by an attribute of requests', () => {
  /** Root of the tree by an attribute -> its samples. */
  async function rootsBy(attribute: string, ...scope: readonly string[]): Promise<Map<string, number>> {
    const threads = ['--threads', `context:${attribute}`];
    const text = await cliOutput('export', file, '--format', 'tree', ...threads, ...scope);
    const roots = [...text.matchAll(/^0\t([^\t]*)\t\d+\t(\d+)\t/gm)];
    return new Map(roots.map(([, name, total]) => [name, Number(total)]));
  }

  test('a tree has a root for each value, with the samples of its scope', async () => {
    const all = await samplesOf();
    const byCustomer = await rootsBy('customer');
    expect([...byCustomer.keys()].toSorted()).toEqual(['No request', 'gold', 'other']);
    expect([...byCustomer.values()].reduce((sum, each) => sum + each, 0)).toBe(all);
    for (const value of ['gold', 'other'])
      expect(byCustomer.get(value)).toBe(await samplesOf('--context', `customer=${value}`));
    // A context inside another one has its own operation.
    const byOperation = await rootsBy('operation');
    expect([...byOperation.values()].reduce((sum, each) => sum + each, 0)).toBe(all);
    expect(byOperation.get('store')).toBe(await samplesOf('--context', 'operation=store'));
  });

  test('of a scope, a drawing, collapsed stacks, and parts', async () => {
    const gold = ['--context', 'customer=gold', '--collapse-recursion', 'all'];
    const grouped = ['--threads', 'context:customer'];
    const collapsed = await cliOutput('export', file, '--format', 'collapsed', ...grouped, ...gold);
    expect(new Set(collapsed.split('\n').map((line) => line.split(';')[0]))).toEqual(new Set(['gold', '']));
    const svg = await cliOutput('export', file, '--format', 'svg', ...grouped);
    for (const name of ['gold', 'other', 'No request']) expect(svg).toContain(name);
    const tree = await cliOutput('tree', file, ...grouped, '--limit', '100');
    expect(tree).toMatch(/\bgold\b/);
    const spread = await cliOutput('spread', file, '--threads', 'context:Operation', '--json');
    const { parts } = JSON.parse(spread) as { parts: readonly { name: string; samples: number }[] };
    expect(await cliOutput('spread', file, '--threads', 'context:operation')).toMatch(
      new RegExp(`^Self shares of methods in ${parts.length - 1} operations and No request, of \\d+ samples`),
    );
    expect(new Map(parts.map(({ name, samples }) => [name, samples]))).toEqual(await rootsBy('operation'));
    const compared = ['compare', file, file, '--format', 'tree', ...grouped];
    expect(await cliOutput(...compared, '--context', 'operation=checkout')).toMatch(/\tgold\t/);
  });

  test('a dataset has the operation of each sample, which it is asked for and grouped by', async () => {
    const dir = join(temporaryFolder(), 'dataset');
    const byOperation = await rootsBy('operation');
    for (const every of [[], ['--every', '1s']]) {
      await cliOutput('export', file, '--format', 'dataset', '-o', dir, ...every);
      const text = await cliOutput('export', dir, '--per', 'operation', '--format', 'tree');
      const roots = [...text.matchAll(/^0\t([^\t]*)\t\d+\t(\d+)\t/gm)];
      expect(new Map(roots.map(([, name, total]) => [name, Number(total)]))).toEqual(byOperation);
      const where = ['--where', "operation = 'checkout'"];
      const { whole } = JSON.parse(await cliOutput('top', dir, '--json', ...where)) as {
        whole: { samples: number };
      };
      expect(whole.samples).toBe(byOperation.get('checkout'));
      const none = JSON.parse(await cliOutput('top', dir, '--json', '--where', 'operation is null')) as {
        whole: { samples: number };
      };
      expect(none.whole.samples).toBe(byOperation.get('No request'));
      rmSync(dir, { recursive: true });
    }
    // A file without requests has none.
    await cliOutput('export', 'assets/shop.hpl.gz', '--format', 'dataset', '-o', dir);
    expect((await runCli(['top', dir, '--where', 'operation is not null'])).stderr).toMatch(/no sample/i);
  });

  test('what has no such attribute says so', async () => {
    const { status, stderr } = await runCli(['tree', file, '--threads', 'context:tenant']);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/--threads context:KEY cannot be 'tenant': it is one of operation, Trace\.id/),
    ]);
    const film = await runCli(['tree', 'test/golden/jvm/jdk25.film.gz', '--threads', 'context:operation']);
    expect(film.stderr).toMatch(/--threads context:operation cannot be used with .* no requests/);
  });
});
