import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';

/** More of an answer is not read. */
const MOST_ANSWER_BYTES = 1 << 16;

/** A request that is sent at most once. */
export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** For so long nothing needs to happen; then it is given up. */
  readonly stallMs: number;
}

/**
 * The outcome of a request.
 *
 *   answered    the server has said what it did with it
 *   unreached   nothing of it was sent: it can be tried again
 *   unknown     the connection broke off or stalled while or after it was sent: the server may have taken it
 */
export type PostOutcome =
  | Answer
  | { readonly kind: 'unreached'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface Answer {
  readonly kind: 'answered';
  readonly status: number;
  /** The value of the header `Retry-After`. */
  readonly retryAfter: string | undefined;
  readonly type: string;
  readonly body: Uint8Array;
}

/** Sends a request and reads the beginning of its answer. Never rejects. Redirections are answers. */
export function post({ url, headers, body, stallMs }: Post): Promise<PostOutcome> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve) => {
    let isConnected = false;
    const fail = (reason: string): void => {
      resolve({ kind: isConnected ? 'unknown' : 'unreached', reason });
      sent.destroy();
    };
    const sent = (isSecure ? requestSecure : requestPlain)(
      url,
      { method: 'POST', agent: false, headers: { ...headers, 'content-length': String(body.length) } },
      (answer) => {
        const pieces: Buffer[] = [];
        let length = 0;
        const end = (): void => {
          resolve({
            kind: 'answered',
            status: answer.statusCode ?? 0,
            retryAfter: answer.headers['retry-after'],
            type: answer.headers['content-type'] ?? '',
            body: Buffer.concat(pieces).subarray(0, MOST_ANSWER_BYTES),
          });
          sent.destroy();
        };
        answer.on('data', (piece: Buffer) => {
          pieces.push(piece);
          length += piece.length;
          if (length >= MOST_ANSWER_BYTES) end();
        });
        answer.on('end', end);
        // The status line was there: the server has decided, whatever else it wanted to say.
        answer.on('error', end);
        answer.on('aborted', end);
      },
    );
    sent.on('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true));
    });
    sent.on('error', (error: Error & { readonly code?: string }) => fail(error.code ?? error.message));
    sent.setTimeout(stallMs, () => fail(`no answer for ${stallMs / 1000} s`));
    sent.end(body);
  });
}
