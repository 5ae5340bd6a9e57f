import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { expect, vi } from 'vitest';
import { useWindows } from '../support/opened-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testSize } from '../support/test-size.ts';
import { onLinux } from '../support/test-unless.ts';

const { browser, open } = useWindows();

/** A gzip member of 8 MiB of collapsed stacks, and how many of them the file has. */
const LINE = 'Shop.main;Shop.serve;Cart.add;Map.put 1\n';
const LINES = Math.ceil((8 << 20) / LINE.length);
const MEMBERS = testSize(4, 250);
/** 56 to 169 MB were measured, however long the file; a page that held what it unpacks would need all of it. */
const MOST_BYTES = 256 << 20;

vi.setConfig({ testTimeout: 0 });

onLinux(
  `B18: a gzip file that unpacks to ${MEMBERS * 8} MiB is read in the page without being held`,
  async () => {
    const path = join(temporaryFolder(), 'bomb.collapsed.gz');
    const member = gzipSync(LINE.repeat(LINES));
    const out = createWriteStream(path);
    for (let at = 0; at < MEMBERS; at++) out.write(member);
    out.end();
    await finished(out);

    const window = await open([]);
    window.page.setDefaultTimeout(0);
    const session = await browser().newBrowserCDPSession();
    const peak = async (): Promise<number> => {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      const peaks = processInfo
        .filter(({ type }) => type === 'renderer')
        .map(({ id }) =>
          Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0),
        );
      return Math.max(...peaks) * 1024;
    };
    const before = await peak();
    await window.part('file-input').setInputFiles(path);
    await window.samplesShown(MEMBERS * LINES);
    const more = (await peak()) - before;
    console.log(`${MEMBERS * 8} MiB of stacks: the page took ${Math.round(more / 1e6)} MB more`);
    expect(more).toBeLessThan(MOST_BYTES);
  },
);
