import { expect, vi } from 'vitest';
import type { Jvm } from '../../../electron/jvm/jvm.ts';
import { JvmList } from '../../../electron/jvm/jvm-list.ts';
import { processTimes, TICKS_PER_SECOND } from '../../../electron/jvm/process-places.ts';
import { listedJvm } from '../../support/listed-jvm.ts';
import { NO_JVM, startJvm } from '../../support/test-jvm.ts';
import { testUnless } from '../../support/test-unless.ts';

/** Files and links of /proc that were read: `7/stat`. */
const looked = vi.hoisted(() => [] as string[]);
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const note = (path: unknown): void => {
    const name = /^\/proc\/(\d.*)/.exec(String(path))?.[1];
    if (name !== undefined) looked.push(name);
  };
  return {
    ...fs,
    readFileSync: (...args: Parameters<typeof fs.readFileSync>) => {
      note(args[0]);
      return fs.readFileSync(...args);
    },
    readlinkSync: (...args: Parameters<typeof fs.readlinkSync>) => {
      note(args[0]);
      return fs.readlinkSync(...args);
    },
  };
});

/** What was read of a process during `lists` lists. */
function lookedAt(list: JvmList, pid: number, lists: number): readonly string[] {
  looked.length = 0;
  for (let each = 0; each < lists; each++) list.read();
  return looked.filter((name) => name.startsWith(`${pid}/`)).map((name) => name.slice(`${pid}/`.length));
}

testUnless(NO_JVM)(
  'a later list reads one small file of a JVM, and hardly anything of other processes',
  async () => {
    const { pid } = await startJvm();
    const list = new JvmList();
    const first = lookedAt(list, pid, 1);
    expect(first).toEqual(expect.arrayContaining(['stat', 'status', 'cmdline']));
    expect(lookedAt(list, pid, 10)).toEqual(Array.from({ length: 10 }, () => 'stat'));
    // This process is no JVM: it is looked at in every tenth list, and what it has mapped not once more.
    const own = lookedAt(list, process.pid, 10);
    expect(own.filter((name) => name === 'stat')).toHaveLength(1);
    expect(own.length).toBeLessThan(5);
    expect(own).not.toContain('maps');
  },
);

testUnless(NO_JVM)('CPU and uptime of a JVM are those since the list before', async () => {
  const { pid } = await startJvm();
  const list = new JvmList();
  const ticks = (): number => processTimes(pid)!.cpuTicks;
  const bracketed = (): { readonly jvm: Jvm; readonly from: number; readonly to: number } => {
    const from = ticks();
    return { jvm: listedJvm(pid, list), from, to: ticks() };
  };
  const first = bracketed();
  const { startTicks } = first.jvm;
  expect(first.jvm.uptime).toBeGreaterThan(0);
  // Since its start.
  const used = (jvm: Jvm, seconds: number): number => jvm.cpu * seconds * TICKS_PER_SECOND;
  expect(used(first.jvm, first.jvm.uptime)).toBeGreaterThanOrEqual(first.from - 0.001);
  expect(used(first.jvm, first.jvm.uptime)).toBeLessThanOrEqual(first.to + 0.001);
  while (ticks() < first.to + 10);
  const second = bracketed();
  const passed = second.jvm.uptime - first.jvm.uptime;
  expect(second.jvm.startTicks).toBe(startTicks);
  expect(passed).toBeGreaterThan(0);
  const since = used(second.jvm, passed);
  expect(since).toBeGreaterThanOrEqual(second.from - first.to - 0.001);
  expect(since).toBeLessThanOrEqual(second.to - first.from + 0.001);
  expect(since).toBeGreaterThanOrEqual(10 - 0.001);
});
