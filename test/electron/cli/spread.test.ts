import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cliOutput, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { addToDataset, madeSamples } from '../../support/made-fleet.ts';
import { testSeed } from '../../support/test-seed.ts';

const { randomFor } = testSeed('spread-command');
const MINUTE_NS = 60_000_000_000n;

/** A dataset of six hosts, of which the last is slow in one method, in the last two of four hours everywhere. */
function fleet(): string {
  const dir = temporaryFolder();
  for (let host = 0; host < 6; host++) {
    const samples = madeSamples(randomFor(host), 'shop', `web${host}`, 2_000);
    const middle = samples.reduce((last, { time }) => (time > last ? time : last), 0n) - 120n * MINUTE_NS;
    const changed = samples.map((sample, at) => {
      const isSlow = host === 5 && at % 2 === 0;
      const isLate = sample.time > middle && at % 3 === 0;
      const method = isSlow ? 20 : isLate ? 30 : undefined;
      return method === undefined ? sample : { ...sample, stack: [method, ...sample.stack] };
    });
    addToDataset(dir, changed, MINUTE_NS);
  }
  return dir;
}

test('the hosts of a dataset that differ, since when, and two groups of hosts with each other', async () => {
  const dir = fleet();
  const hosts = await cliOutput('spread', dir, '--limit', '3');
  expect(hosts).toMatch(
    /^Self shares of methods in 6 hosts, of 12,000 samples\n\n {1,}Median +Least to most +Stand out +Method\n/,
  );
  expect(hosts.split('\n')[3]).toMatch(
    /0\.00 % +0\.00 to 5\d\.\d\d % +web5 5\d\.\d\d % \(\+5\d\.\d\d\) +com\.acme\.Class0\.method20$/,
  );
  // Two days.
  expect(await cliOutput('spread', dir, '--per', 'hour')).toMatch(/^Self shares of methods in 4 hours, of /);
  const { stderr } = await runCli(['spread', dir, '--where', "service = 'shop'"]);
  const side = (sign: string): string => `"(service = 'shop') AND host ${sign} 'web5'"`;
  expect(stderr).toContain(
    `leanscope compare ${dir} ${dir} --where-base ${side('<>')} --where ${side('=')}\n`,
  );
  expect(await cliOutput('summary', dir, '--per', 'host')).toContain(', called by 6 hosts web*');
  expect(await cliOutput('summary', dir, '--per', 'hour')).not.toContain('called by');
  const days = JSON.parse(
    await cliOutput('spread', dir, '--per', 'hour', '--where', "host <> 'web5'", '--json'),
  ) as {
    readonly parts: readonly { readonly name: string }[];
    readonly rows: readonly { readonly key: string }[];
  };
  expect(days.parts.map(({ name }) => name)).toEqual([
    '2026-11-27 22:00',
    '2026-11-27 23:00',
    '2026-11-28 00:00',
    '2026-11-28 01:00',
  ]);
  expect(days.rows[0].key).toBe('com.acme.Class2.method30');
  const sides = ["host in ('web0', 'web1', 'web2')", "host in ('web3', 'web4')"];
  const report = await cliOutput(
    ...['compare', dir, '--against', dir, '--per', 'host'],
    ...['--where-base', sides[0], '--where', sides[1]],
  );
  expect(report).toMatch(/base +web0\n.*base +web1\n.*base +web2\n.*new +web3\n.*new +web4\n/s);
  expect(report).toContain('With 3 and 2 runs');
  const one = await runCli([
    ...['compare', dir, '--against', dir, '--per', 'host'],
    ...['--where-base', "host = 'web0'", '--where', "host = 'web1'"],
  ]);
  // Hosts are runs here, and no threads.
  expect(one.stdout).not.toContain('threads only in');
});

test('several files are the parts, and the threads of one', async () => {
  const folder = temporaryFolder();
  const files = Array.from({ length: 5 }, (_, at) => {
    const path = join(folder, `run${at}.collapsed`);
    const sort = at === 4 ? 900 : 300;
    writeFileSync(path, `Shop.main;Shop.sort ${sort}\nShop.main;Shop.pay ${1000 - sort}\n`);
    return path;
  });
  const text = await cliOutput('spread', ...files);
  expect(text).toMatch(/^Self shares of methods in 5 files, of 5,000 samples/);
  expect(text).toMatch(/30\.00 % +30\.00 to 90\.00 % +run4.* 90\.00 % \(\+60\.00\) +Shop\.sort\n/);
  expect(await cliOutput('spread', files[0])).toContain('With fewer than 4 threads none can be told');
});

test('equal parts of the time of a recording, and why a file without times has none', async () => {
  const shop = 'assets/shop.jfr.gz';
  const { parts } = JSON.parse(await cliOutput('spread', shop, '--threads', 'time', '--json')) as {
    readonly parts: readonly { readonly name: string; readonly samples: number }[];
  };
  expect(parts.length).toBeGreaterThan(3);
  expect(parts[0].name).toBe('0:00');
  const all = JSON.parse(await cliOutput('spread', shop, '--json')) as { readonly parts: typeof parts };
  const sum = (of: typeof parts): number => of.reduce((samples, each) => samples + each.samples, 0);
  expect(sum(parts)).toBe(sum(all.parts));
  const hours = JSON.parse(await cliOutput('spread', shop, '--per', 'hour', '--json')) as {
    readonly parts: typeof parts;
  };
  expect(hours.parts.map(({ name }) => name)).toEqual(['2026-11-22 14:00']);
  expect(sum(hours.parts)).toBe(sum(parts));
  // The day of all parts is said once.
  const text = await cliOutput('spread', shop, '--every', '2s', '--by', 'total');
  expect(text).toMatch(/^Total shares of methods in \d+ parts of 2026-11-22 UTC, of /);
  expect(text).toMatch(/ 14:\d\d:\d\d \d+\.\d\d % \(/);
  expect(text.split('2026-11-22')).toHaveLength(2);
  const [first] = (JSON.parse(await cliOutput('spread', shop, '--every', '10s', '--json')) as typeof hours)
    .parts;
  expect(first.name).toMatch(/^2026-11-22 14:\d\d:\d0$/);
  const { stderr } = await runCli(['spread', shop, '--threads', 'time']);
  const [, next = ''] = /leanscope compare (.*)\n/.exec(stderr) ?? [];
  expect(next).toMatch(/^assets\/shop.jfr.gz assets\/shop.jfr.gz --from-base 0 /);
  expect(await cliOutput('compare', ...next.split(' '))).toContain('Profile comparison');
  for (const [options, problem] of [
    [['--every', '1ms'], 'at most 1,000 parts are counted'],
    [['--every', '1s', '--threads', 'pool'], '--every makes parts of the time, and --threads pool others'],
    [['--per', 'host'], '--per host names a column of a dataset'],
  ] as const)
    expect((await runCli(['spread', shop, ...options])).stderr).toContain(problem);
  const path = join(temporaryFolder(), 'a.collapsed');
  writeFileSync(path, 'Shop.main 3\n');
  expect((await runCli(['spread', path, '--threads', 'time'])).stderr).toContain(
    '--threads time cannot be used with',
  );
});
