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
  // A process for all pages; otherwise an empty page would end it, and with it what it has compiled.
  '--renderer-process-limit=1',
  // A page lives for seconds: what the optimizing compiler takes of the processor it never gives back. Maglev stays for
  // the few functions that run very often.
  '--js-flags=--no-opt,--invocation-count-for-maglev=3000,--interrupt-budget-for-maglev=300000',
];

/** A headless Chromium with a profile of its own; close it when done. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findHeadlessShell() ?? findChromium();
  if (executablePath === undefined)
    throw new Error('No Chromium or Chrome found: install one, or name it in CHROME_PATH');
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}
