import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { expect, test } from 'vitest';
import { runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const hello = 'test/golden/hpl/hello.hpl.gz';

test('any profile as pprof: the methods, samples and times are the same when it is read', async () => {
  const out = join(temporaryFolder(), 'out.pprof');
  expect(await runCli(['export', hello, '--format', 'pprof', '-o', out])).toMatchObject({
    status: 0,
    stderr: '',
  });
  const [before, after] = await Promise.all(
    [hello, out].map((path) => runCli(['export', path, '--format', 'flat'])),
  );
  expect(after.stdout).toBe(before.stdout);
  const refused = await runCli(['export', hello, '--format', 'pprof', '--filter', 'x']);
  expect(refused.stderr).toContain('--format pprof writes the complete profile');
});

test('a name that ends in .gz packs it', async () => {
  const folder = temporaryFolder();
  const [plain, packed] = [join(folder, 'out.pprof'), join(folder, 'out.pb.gz')];
  for (const out of [plain, packed]) await runCli(['export', hello, '--format', 'pprof', '-o', out]);
  expect(gunzipSync(readFileSync(packed))).toEqual(readFileSync(plain));
  expect(Profile.decode(readFileSync(plain)).sample.length).toBe(10);
});
