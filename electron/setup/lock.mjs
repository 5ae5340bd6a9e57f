import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const POLL_MS = 50;

const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Acquires the lock; a lock whose process has ended is taken over. */
function take(file) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, file);
    return true;
  } catch {
    try {
      if (!isRunning(Number(readFileSync(file, 'utf8')))) rmSync(file, { force: true });
    } catch {
      // Released in the meantime.
    }
    return false;
  } finally {
    rmSync(mine);
  }
}

/** Runs the work under a lock between processes; the others wait. */
export async function exclusively(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  while (!take(file)) await new Promise((done) => setTimeout(done, POLL_MS));
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
