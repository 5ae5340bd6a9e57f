import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that a server of a test has got. */
export interface GotRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A server that keeps what it gets, and answers the next request in the next way; the last way is repeated. */
export async function collector(
  ...answers: readonly ((response: ServerResponse, request: GotRequest) => void)[]
): Promise<{ readonly url: string; readonly got: GotRequest[] }> {
  const got: GotRequest[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', headers } = request;
      const url = new URL(request.url ?? '', 'http://collector');
      const each = { method, url, headers, body: Buffer.concat(pieces) };
      got.push(each);
      answers[Math.min(got.length, answers.length) - 1](response, each);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

export const answer =
  (status: number, body: string | Uint8Array = '', headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers);
    response.end(body);
  };
