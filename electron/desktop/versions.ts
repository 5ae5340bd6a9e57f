import { release } from 'node:os';
import { app } from 'electron';

/** What a report of a problem needs to say, in one line. */
export function versionsText(): string {
  const { electron, chrome, node } = process.versions;
  return `Leanscope ${app.getVersion()}, Electron ${electron}, Chromium ${chrome}, Node ${node}, ${process.platform} ${process.arch} ${release()}`;
}

/** The page in the web on which a problem is reported, with the versions filled in. */
export function reportAddress(): string {
  const body = `What happened, and what should have happened?\n\n\n${versionsText()}\n`;
  return `https://github.com/leanscope/leanscope/issues/new?body=${encodeURIComponent(body)}`;
}
