import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { AttachHelp } from '../../../renderer/shell/JvmPanel.tsx';
import { runCli } from '../../support/run-cli.ts';

vi.mock('../../../electron/jvm/platform.ts', () => ({ IS_MAC: false, CAN_ATTACH: false }));

test('where JVMs cannot be attached to, all say why', async () => {
  const why = 'JVMs are found on Linux and macOS only: on Windows, attaching takes native code';
  expect(await runCli(['jvms'])).toMatchObject({ status: 0, stdout: `${why}.\n` });
  expect(await runCli(['jvms', '--json'])).toMatchObject({
    status: 0,
    stdout: '{"schema":"leanscope-jvms","version":1,"jvms":[]}\n',
  });
  for (const command of [
    ['record', '7', '-o', 'a.jfr'],
    ['attach', '7'],
  ])
    expect(await runCli(command)).toMatchObject({ status: 1, stderr: `7: ${why}\n` });
  const help = renderToStaticMarkup(createElement(AttachHelp, { can: undefined }));
  expect(help).toContain('Leanscope finds JVMs on Linux and macOS only.');
});
