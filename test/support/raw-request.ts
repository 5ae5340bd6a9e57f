import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Sends bytes as they are to a port of this machine, and reads until the other side ends. */
export function rawRequest(port: number, request: string | Uint8Array): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const received: Buffer[] = [];
    // A busy machine is no reason to fail.
    socket.setTimeout(45_000, () => socket.destroy(new Error('no answer within 45 seconds')));
    socket.on('data', (bytes) => {
      received.push(bytes);
      // An upgraded connection stays open: its answer is all there is to see.
      if (Buffer.concat(received).toString('latin1').startsWith('HTTP/1.1 101')) socket.end();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      const text = Buffer.concat(received).toString('latin1');
      const [headers, ...body] = text.split('\r\n\r\n');
      resolve({ status: Number(headers.slice(9, 12)), headers, body: body.join('\r\n\r\n') });
    });
    socket.write(request);
  });
}

/** A request in its written form; `headers` as they are, repeated ones too. */
export function requestText(
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[],
): string {
  return [
    `${method} ${path} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    '',
  ].join('\r\n');
}
