import { chromium, type Browser } from 'playwright-core';
import { findChromium, findHeadlessShell } from './find-chromium.mjs';

/** Quiet, without a sandbox that containers refuse, and with its shared memory on disk where /dev/shm is small. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page lives for seconds: what the optimizing compiler takes of the processor it never gives back. Maglev stays.
  '--js-flags=--no-opt',
];

/**
 * A headless Chromium with a profile of its own; close it when done. `npm test` says which in LEANSCOPE_CHROMIUM;
 * otherwise it looks for an installed one.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.LEANSCOPE_CHROMIUM ?? findHeadlessShell() ?? findChromium();
  if (executablePath === undefined)
    throw new Error('No Chromium or Chrome found: install one, or name it in CHROME_PATH');
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}
