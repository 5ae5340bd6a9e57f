import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objections, objectionsInBothThemes } from '../support/axe-objections.ts';
import { FakeControlPort, listenAsAgent } from '../support/fake-control-port.ts';
import { NO_FAKE_JAVA, startFakeJava } from '../support/fake-java.ts';
import { useWindows } from '../support/opened-window.ts';
import { goldenPath } from '../support/read-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testUnless } from '../support/test-unless.ts';
import type { LogWindow } from '../support/window.ts';

const { open } = useWindows();

/** Resolves when the panel says this of the agent. */
async function status(window: LogWindow, text: string): Promise<void> {
  await window.part('agent-status').getByText(text, { exact: true }).waitFor();
}

testUnless(NO_FAKE_JAVA)(
  'an agent with a control port: its state, start and stop, what it refuses, its log',
  async () => {
    const agent = new FakeControlPort();
    const folder = temporaryFolder();
    const [first, second] = ['first.hpl', 'second.hpl'].map((name) => join(folder, name));
    copyFileSync(goldenPath('hello'), second);
    agent.logPath = first;
    const { host, port } = await listenAsAgent(agent);
    const option = `-agentpath:/opt/liblagent.so=logPath=${first},host=${host},port=${port}`;
    const pid = await startFakeJava([option, 'com.acme.Shop', 'an argument']);
    const window = await open(['--attach']);
    const row = window.page.locator(`li:has([data-pid="${pid}"])`);
    await row.getByText(`Honest Profiler’s agent: ${first}`).waitFor();
    // It is no JVM to attach to. What it was started with is its tooltip.
    expect(await row.getByTestId('jvm').getAttribute('aria-disabled')).toBe('true');
    expect(await row.getByTestId('jvm').getAttribute('title')).toBe(
      `-s -- ${option} com.acme.Shop an argument`,
    );

    await row.getByTestId('control-agent').click();
    await status(window, `Stopped; its log is ${first}`);
    expect(await objectionsInBothThemes(window)).toEqual([]);

    await window.part('agent-run').click();
    await status(window, `Sampling into ${first}`);
    expect(await window.part('agent-run').textContent()).toBe('Stop sampling');
    await window.part('agent-run').click();
    await status(window, `Stopped; its log is ${first}`);
    expect(agent.isSampling).toBe(false);

    // It was set by the command meanwhile, and then something else answers.
    agent.logPath = second;
    const answer = agent.answer.bind(agent);
    agent.answer = () => 'HTTP/1.1 400 Bad Request\n';
    await window.part('agent-run').click();
    const problem = row.getByRole('alert');
    await problem.waitFor();
    expect(await problem.textContent()).toContain('may be no agent of Honest Profiler');
    expect(await objections(window)).toEqual([]);
    agent.answer = answer;
    await window.part('agent-run').click();
    await status(window, `Sampling into ${second}`);
    expect(await problem.count()).toBe(0);

    // The log that it got over its port, not the one of its options.
    await row.getByTestId('open-agent-log').click();
    await window.samplesShown(37);
    expect(await window.part('status-chip').textContent()).toContain('second.hpl');
    expect(window.problems).toEqual([]);
  },
);

test('the start page has the options that record a JVM from its start, and copies them', async () => {
  const window = await open([]);
  await window.part('record-help').click();
  expect(await window.page.locator('.start-recordings code').allTextContents()).toEqual([
    'java -XX:StartFlightRecording:settings=profile,filename=/tmp/app.jfr …',
    'java -agentpath:/path/to/libasyncProfiler.so=start,event=cpu,file=/tmp/app.jfr …',
    'java -agentpath:/path/to/liblagent.so=interval=7,logPath=/tmp/app.hpl,maxFrames=512 …',
  ]);
  expect(await objectionsInBothThemes(window)).toEqual([]);
  await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await window.page.getByRole('button', { name: 'Copy option of Honest Profiler' }).click();
  await expect
    .poll(() => window.page.evaluate(() => navigator.clipboard.readText()))
    .toBe('-agentpath:/path/to/liblagent.so=interval=7,logPath=/tmp/app.hpl,maxFrames=512');
});
