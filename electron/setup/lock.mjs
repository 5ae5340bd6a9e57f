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

/** Tries to acquire the lock. Removes the lock of a process that has ended; the next attempt can then succeed. */
function tryAcquire(file) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, file);
    return true;
  } catch {
    try {
      if (!isRunning(Number(readFileSync(file, 'utf8')))) rmSync(file, { force: true });
    } catch {
      // The other process has released the lock in the meantime.
    }
    return false;
  } finally {
    rmSync(mine);
  }
}

/** Runs `work` while no other process runs work with the same lock file; waits for the others to finish. */
export async function exclusively(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  while (!tryAcquire(file)) await new Promise((done) => setTimeout(done, POLL_MS));
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
