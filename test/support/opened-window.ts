import type { Browser } from 'playwright-core';
import { beforeAll } from 'vitest';
import { useBuiltProgram } from './built-program.ts';
import { launchChromium } from './chromium.ts';
import { goldenPath } from './read-log.ts';
import { servedHere } from './served-here.ts';
import { serve } from './served.ts';
import { LogWindow, type WindowOptions } from './window.ts';

/** Started for the first test in a browser; ends with this process. */
let browser: Browser | undefined;

/** A Chromium that the test files of a process share; it shows the built program. Call at the top of the file. */
export function useChromium(): () => Browser {
  useBuiltProgram();
  beforeAll(async () => {
    if (browser?.isConnected() !== true) browser = await launchChromium();
  });
  return () => {
    if (browser === undefined) throw new Error('the browser is started before the first test');
    return browser;
  };
}

export interface Windows {
  /** The browser that they are in. */
  readonly browser: () => Browser;
  /** A window of a server of its own, which was started with these arguments. */
  readonly open: (args: readonly string[], options?: WindowOptions) => Promise<LogWindow>;
  /**
   * A window with one file that is read to its end, of a server that tests share: they change neither the server nor the
   * file.
   */
  readonly openRead: (file: string, samples: number, options?: WindowOptions) => Promise<LogWindow>;
  /** The same with the log of a recorded server: 1,553 samples. */
  readonly openServerLog: (options?: WindowOptions) => Promise<LogWindow>;
}

/** The same, and what opens windows in it. */
export function useWindows(): Windows {
  const browser = useChromium();
  const open: Windows['open'] = async (args, options) => {
    const { url } = await serve(...args);
    return LogWindow.open(browser(), url, options);
  };
  const openRead: Windows['openRead'] = async (file, samples, options) => {
    const window = await LogWindow.open(browser(), await servedHere(file), options);
    await window.samplesShown(samples);
    return window;
  };
  return {
    browser,
    open,
    openRead,
    openServerLog: (options) => openRead(goldenPath('server-small'), 1553, options),
  };
}
