/**
 * Ends the process with one line if Node is older than package.json wants. A script imports it before all else; a script
 * that a user starts imports nothing else but what it loads afterwards, and has no syntax that an old Node does not know.
 */
import { readFileSync } from 'fs';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const wanted = engines.node.replace('>=', '');
const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  console.error(
    `Leanscope needs Node ${wanted} or later, and this is Node ${process.versions.node}: install a newer one, from https://nodejs.org for example.`,
  );
  process.exit(1);
}
