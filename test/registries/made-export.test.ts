import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runExport } from '../../renderer/profile-worker/window-export.ts';
import type { MirrorEvent } from '../../renderer/profile-worker/mirror-messages.ts';
import { EXPORT_MENU, type ExportFormatId } from '../../shared/export/export-formats.ts';
import type { ExportFormat } from '../../shared/export/export-list.ts';
import { Driven, TREE, wholeLog } from '../support/driven-mirror.ts';
import { goldenPath } from '../support/read-log.ts';
import { runCli } from '../support/run-cli.ts';

/** A format that nobody but this test knows. */
vi.mock('../../shared/export/export-list.ts', async (original) => {
  const list = await original<typeof import('../../shared/export/export-list.ts')>();
  const made: ExportFormat = {
    id: 'made',
    label: 'Made by a test',
    does: 'nothing',
    extension: 'made.txt',
    purpose: ['to share it', 3],
    options: ['title'],
    menu: 19,
    hasLines: true,
    load: () =>
      Promise.resolve(({ profile, title }, sink, addNote) => {
        sink(`${title} ${profile.threads.length}\n`, 1);
        addNote(2, (count) => `${count} things left out`);
      }),
  };
  return { ...list, EXPORT_FORMATS: [...list.EXPORT_FORMATS, made] };
});

test('an export that is added to the list is one of the command line', async () => {
  const help = await runCli(['export', '--help']);
  expect(help.stdout).toMatch(/--format [a-z|\n -]*\|json\|\s*made\|\s*dataset\n/);
  expect(help.stdout).toMatch(/--title TEXT\n +[a-z, ]*made/);
  const none = await runCli(['export', goldenPath('hello')]);
  expect(none.stderr).toContain('to share it: html, svg, png, made, md, csv;');
  const run = await runCli(['export', goldenPath('hello'), '--format', 'made', '--title', 'x']);
  expect([run.status, run.stdout]).toEqual([0, 'x 3\n']);
  expect(run.stderr).toMatch(/: 2 things left out\n$/);
  const refused = await runCli(['export', goldenPath('hello'), '--format', 'made', '--depth', '1']);
  expect(refused.stderr).toContain('--depth is for --format hprof|hprof-text;');
});

test('the name of a file asks for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'leanscope-made-'));
  try {
    const out = join(folder, 'a.made.txt');
    expect((await runCli(['export', goldenPath('hello'), '-o', out])).status).toBe(0);
    expect(readFileSync(out, 'utf8')).toMatch(/ 3\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an export that is added to the list is one of the window', async () => {
  expect(EXPORT_MENU[0].at(-1)).toBe('made');
  const driven: Driven = wholeLog(TREE);
  const job = { id: 1, format: 'made' as ExportFormatId, fileName: 'a.made.txt', title: 'x' };
  driven.ask({ type: 'export', job: job as never });
  const events: MirrorEvent[] = [];
  await runExport(driven.last('exportSource').source, (event) => events.push(event));
  const file = events.at(-1);
  if (file?.type !== 'exported') throw new Error('nothing was written');
  expect([file.name, file.content.type, file.notes]).toEqual([
    'a.made.txt',
    'text/plain;charset=utf-8',
    ['2 things left out'],
  ]);
  expect(await file.content.text()).toMatch(/^x \d+\n$/);
});
