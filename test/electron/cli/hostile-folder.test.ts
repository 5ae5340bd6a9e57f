import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KeptBytes, memoryAllowed } from '../../../shared/aggregate/memory-budget.ts';
import { runCli } from '../../support/run-cli.ts';

/** Files that have broken earlier versions: its README says how. */
const FOLDER = 'test/fixtures/hostile';

/** What a terminal interprets, apart from line breaks and TABs. */
const INTERPRETED = /[^\P{C}\n\t\u200d\ufeff\ufffe\uffff]|[\u2028\u2029]/u;

/** File -> exit: 0 read, 1 not read, 3 read in part. */
const EXITS: Readonly<Record<string, number>> = {
  'fuzz-pprof-cli-702701.bin': 0,
  'fuzz-swyaml-reader-4691.bin': 1,
  'hostile.hpl.gz': 0,
  'hostile.jstack.txt': 0,
  'hostile.pb': 0,
  'hostile.speedscope.json.gz': 0,
  'jfr-amp-threads.jfr': 3,
  'json-wrong-offset.json': 1,
  'pprof-amp-100k.pb.gz': 1,
  'pprof-amp-10k.pb': 1,
  'pprof-amp-30k.pb.gz': 1,
  'term-c1.json': 1,
  'term-unit.pb': 0,
  'xml-two-broken-elements.trcxml': 3,
  'yaml-anchors-redef.yml.gz': 1,
  'yaml-errors.yml.gz': 1,
};

const files = readdirSync(FOLDER).filter((name) => name !== 'README.md');

describe('B06: every hostile file is read, or refused, and prints nothing that a terminal interprets', () => {
  test('none is left out', () => {
    expect([...files].sort()).toEqual(Object.keys(EXITS).sort());
  });

  for (const [name, exit] of Object.entries(EXITS)) {
    const path = join(FOLDER, name);
    test(name, async () => {
      const most = memoryAllowed(statSync(path).size) / KeptBytes.node;
      const summary = await runCli(['summary', path, '--json']);
      expect(summary.status).toBe(exit);
      if (exit !== 1) {
        const { nodes } = JSON.parse(summary.stdout) as { readonly nodes: number };
        expect(nodes).toBeLessThanOrEqual(most);
      }
      for (const command of [['summary'], ['export', '--format', 'flat']]) {
        const { status, stdout, stderr } = await runCli([command[0], path, ...command.slice(1)]);
        expect([command, status]).toEqual([command, exit]);
        expect(stdout + stderr).not.toMatch(INTERPRETED);
        expect(stderr === '').toBe(exit === 0);
      }
    });
  }
});
