import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readProjectOf } from '../../../electron/host/project-of.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SHOP = 'assets/shop.jfr.gz';

function projectFile(content: object | string): string {
  const folder = temporaryFolder();
  const path = join(folder, '.leanscope.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test('folders of sources are paths from the working directory, and below that of the file', () => {
  const path = projectFile({ sources: ['src/main', '.'] });
  const folder = join(path, '..');
  mkdirSync(join(folder, 'src/main'), { recursive: true });
  expect(readProjectOf(path).sources).toEqual([join(folder, 'src/main'), folder]);
});

test.each([
  ['..', '.. is outside of the folder of the project file'],
  ['/etc', '/etc does not exist'],
  ['out', 'out is outside of the folder of the project file'],
  ['nowhere', 'nowhere does not exist'],
])('sources in %s are refused', (sources, reason) => {
  const path = projectFile({ sources: [sources] });
  symlinkSync('/etc', join(path, '..', 'out'));
  expect(() => readProjectOf(path)).toThrow(`${path}: sources: ${reason}`);
});

test('thresholds and own code of the file count, and what it silences is said', async () => {
  const findings = async (content: object): Promise<string> =>
    (await runCli(['findings', SHOP, '--project', projectFile(content)])).stdout;
  expect(await findings({})).toMatch(/^WARN {2}F34/m);
  expect(await findings({ thresholds: { F34: { warn: 90 } } })).toMatch(/^note {2}F34/m);
  expect(await findings({ thresholds: { F34: { info: 90 } } })).not.toMatch(/F34 /);
  expect(await findings({ own: ['com.acme.shop.web.'] })).toMatch(/F34[^F]*where {2}com\.acme\.shop\.web\./);
  const silenced = await findings({ suppress: [{ id: 'F34', why: 'known' }] });
  expect(silenced).not.toMatch(/WARN {2}F34/);
  expect(silenced).toContain('Silenced by the project file: F34: known');
});

test('a file that was edited wrongly is refused by each command that reads it, with its line', async () => {
  const path = projectFile('{\n  "own": [\n    7\n  ]\n}\n');
  const reason = `${path}: line 3: own[0]: found 7, expected a text that is not empty\n`;
  for (const command of ['findings', 'summary']) {
    const { status, stdout, stderr } = await runCli([command, SHOP, '--project', path]);
    expect([command, status, stdout, stderr]).toEqual([command, 1, '', reason]);
  }
});

test('the file of the working directory: commands, and the window before it opens', async () => {
  const path = projectFile('{"owns": []}');
  const before = process.cwd();
  const shop = join(before, SHOP);
  process.chdir(join(path, '..'));
  try {
    const reason =
      '.leanscope.json: line 1: owns: found [], expected only own, sources, suppress, thresholds\n';
    for (const argv of [
      ['findings', shop],
      ['summary', shop],
      ['export', shop, '--format', 'md'],
      ['method', 'a.B.c', shop],
      ['serve', shop],
      [shop],
    ])
      expect([argv[0], await runCli(argv)]).toEqual([argv[0], { status: 1, stdout: '', stderr: reason }]);
  } finally {
    process.chdir(before);
  }
});
