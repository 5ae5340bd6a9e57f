import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Answers commands at the attach socket of a process, as a JVM does, until the test or `end`. `answer` gets the words;
 * undefined: the answer begins and never ends.
 */
export function listenAsJvm(
  answer: (command: string, argument: string) => string | undefined,
  pid = process.pid,
): { readonly end: () => void } {
  const server = createServer((socket) => {
    let request = '';
    socket.on('data', (bytes) => {
      request += bytes.toString();
      const words = request.split('\0');
      if (words.length < 6) return;
      const text = answer(words[1], words[2]);
      if (text === undefined) socket.write('0\n');
      else socket.end(`0\n${text}`);
    });
    socket.on('error', () => socket.destroy());
  });
  const path = `/tmp/.java_pid${pid}`;
  rmSync(path, { force: true });
  server.listen(path);
  const end = (): void => {
    server.close();
    rmSync(path, { force: true });
  };
  onTestFinished(end);
  return { end };
}
