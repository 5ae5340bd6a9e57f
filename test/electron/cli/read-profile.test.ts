import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ProfileAggregator } from '../../../shared/aggregate/profile-aggregator.ts';
import { goldenLog } from '../../support/read-log.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('too little memory for a log is one line and exit status 1', async () => {
  const path = join(temporaryFolder(), 'some.hpl');
  writeFileSync(path, goldenLog('hello'));
  const thread = vi.spyOn(ProfileAggregator.prototype, 'thread').mockImplementation(() => {
    throw new RangeError('Array buffer allocation failed');
  });
  try {
    const { status, stdout, stderr } = await runCli(['summary', path]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(`${path}: not enough memory; close other programs or use a larger machine\n`);
  } finally {
    thread.mockRestore();
  }
});
