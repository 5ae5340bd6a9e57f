import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { MeasuredRow, Outcome, RowRequest } from './measured-row.ts';

/** Timeout of a row: a row that takes longer counts as hung. */
const LONGEST_SECONDS = { full: 240, short: 60 };
const ROW_PROCESS = fileURLToPath(new URL('./row-process.js', import.meta.url));

/** Measures one row in its own process. Never fails: a problem is an outcome. */
export async function measureRow(
  what: string,
  request: RowRequest,
  longestSeconds = request.short ? LONGEST_SECONDS.short : LONGEST_SECONDS.full,
  program = ROW_PROCESS,
): Promise<MeasuredRow> {
  const startedAt = performance.now();
  const outcome = await outcomeOf(request, program, longestSeconds);
  return { id: request.id, what, seconds: (performance.now() - startedAt) / 1000, outcome };
}

function outcomeOf(request: RowRequest, program: string, longestSeconds: number): Promise<Outcome> {
  const row = fork(program, {
    execArgv: ['--expose-gc', '--enable-source-maps'],
    // Columns of millions of numbers keep their types.
    serialization: 'advanced',
    // In its own process group, so that one signal ends all servers and browsers that it started.
    detached: process.platform !== 'win32',
  });
  const endAll = (): void => {
    try {
      if (row.pid !== undefined) process.kill(process.platform === 'win32' ? row.pid : -row.pid, 'SIGKILL');
    } catch {
      // The process group has ended already.
    }
  };
  process.once('exit', endAll);
  return new Promise((resolve) => {
    let outcome: Outcome | undefined;
    const timer = setTimeout(() => {
      outcome = { problem: `still running after ${longestSeconds} s` };
      endAll();
    }, longestSeconds * 1000);
    row.once('message', (message) => (outcome = message as Outcome));
    row.once('exit', (code, signal) => {
      clearTimeout(timer);
      process.off('exit', endAll);
      endAll();
      resolve(outcome ?? { problem: `ended with ${code ?? signal ?? 'nothing'} before it had a figure` });
    });
    row.send(request);
  });
}
