import { expect, test } from 'vitest';
import type { FindingsAnswer } from '../../../shared/findings/finding.ts';
import type { Summary } from '../../../shared/summary/summary.ts';
import { formatShare } from '../../../shared/text/format-value.ts';
import { HOSTILE_NAMES } from '../../support/hostile-names.ts';
import { cliOutput } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SHOP = 'assets/shop.jfr.gz';

test('it has the sentence, the path, the hottest methods and the findings that summary has', async () => {
  const text = await cliOutput('export', SHOP, '--format', 'md');
  const { summary, findings } = JSON.parse(await cliOutput('summary', SHOP, '--json')) as {
    summary: Summary;
    findings: FindingsAnswer;
  };
  expect(text.startsWith('### shop.jfr.gz\n\n**60.6 % of CPU is in Ranking.top,')).toBe(true);
  for (const { ref, self, total } of summary.methods)
    expect(text).toContain(
      `| ${formatShare(self, 1)} | ${formatShare(total, 1)} | steady | `.replace(
        'steady',
        wordOf(text, ref.label),
      ),
    );
  expect(findings.findings.length).toBeGreaterThan(3);
  for (const { id, title, level, share, next } of findings.findings) {
    expect(text).toMatch(
      new RegExp(
        `\\| ${formatShare(share.value, 1)} \\| [^|]* \\| [^|]*${level === 'warn' ? 'warning' : 'note'}[^|]* \\| ${id} ${title}`,
      ),
    );
    if (level === 'warn') expect(text).toContain(`_Next_: ${next}`);
  }
  expect(text.split('**Hottest methods**\n\n')[1].trim().split('\n')).toHaveLength(22);
});

/** The fourth cell from the end of the row of a method: when it has samples. */
function wordOf(text: string, label: string): string {
  const row = text.split('\n').find((line) => line.includes(`| \`${label}`));
  return row?.split(' | ')[2] ?? `no row of ${label}`;
}

test('only samples in scope are in it', async () => {
  const all = await cliOutput('export', SHOP, '--format', 'md');
  const part = await cliOutput('export', SHOP, '--format', 'md', '--thread', 'batch-*');
  expect(all).toContain('http-worker');
  expect(part).not.toContain('http-worker');
  expect(part).toMatch(/\n115 samples\.|\n\d+ samples\./);
});

test('names stay names, whatever of Markdown or HTML is in them', async () => {
  const path = join(temporaryFolder(), 'hostile.collapsed');
  const names = HOSTILE_NAMES.map((name) => name.replace(/[\s;\p{Cc}\p{Cs}]/gu, '')).filter(
    (name) => name !== '',
  );
  const more = [
    'a|b|c',
    '`code`',
    '**bold**',
    '[link](javascript:alert(1))',
    '![](http://x.test/y.png)',
    '@somebody',
  ];
  writeFileSync(path, [...more, ...names].map((name, at) => `main.run;p.${name} ${1000 - at}\n`).join(''));
  const text = await cliOutput('export', path, '--format', 'md');
  for (const line of text.split('\n')) {
    // A row has as many cells as its header, and outside of code no character of markup.
    const outside = line
      .replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, 'code')
      .replaceAll(/\\[\\`*_[\]<>|#&~]/g, '');
    expect(outside).not.toMatch(/[<>[\]`]/);
    if (line.startsWith('|')) expect([4, 6]).toContain(outside.split('|').length - 0 - 1);
  }
  expect(text).toContain('a\\|b\\|c');
});

test('few samples are said to be few', async () => {
  const part = ['--thread', 'batch-*', '--choose', 'sample-type=cpu'];
  const text = await cliOutput('export', SHOP, '--format', 'md', ...part);
  const { findings } = JSON.parse(await cliOutput('summary', SHOP, '--json', ...part)) as {
    findings: FindingsAnswer;
  };
  expect(findings.few).toMatch(/are few/);
  expect(text.toLowerCase()).toContain(findings.few!.toLowerCase());
});
