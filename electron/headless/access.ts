import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** After this many wrong tokens in a minute, further ones are refused with the status 429 instead of 403. */
const MAX_FAILURES = 100;
const FAILURES_WITHIN_MS = 60_000;

/**
 *   allowed     answer the request
 *   exchange    the address has a valid token: set the cookie, and redirect to the address `to`, without the token
 *   refused     answer with this status
 */
export type Access =
  | { readonly verdict: 'allowed' }
  | { readonly verdict: 'exchange'; readonly cookie: string; readonly to: string }
  | { readonly verdict: 'refused'; readonly status: 400 | 403 | 421 | 429 };

const REFUSED: Access = { verdict: 'refused', status: 403 };

/**
 * The path of a page without content that goes on to `/`, which everybody may have. A browser that came from another
 * site or from a file follows a redirect without its SameSite=Strict cookie. From this page it has the cookie, because
 * the request for `/` then comes from this site.
 */
export const ENTRY_PATH = '/enter';

/**
 * Decides who may use the server. It listens only on the loopback address, but every program on this machine and every
 * page in its browsers can reach that address. So each request is checked:
 *
 *   Host     Must be one of two exact strings, once. This refuses names that an attacker's DNS maps to 127.0.0.1.
 *   Origin   If present, it must be this server's. WebSockets and all methods but GET and HEAD must have one.
 *   cookie   The browser gets it in exchange for a token of 256 random bits in the address. The token of the printed
 *            address is valid until the process ends: for a second browser, a restored tab, a script. That of the address
 *            that the command opens itself is valid once. A redirect keeps both out of the history that a browser shows,
 *            but its database keeps them. The cookie is another secret, HttpOnly and SameSite=Strict. Its name contains
 *            the port, because a browser sends cookies to all ports of a host.
 *
 * Strings are compared, never parsed: anything that is not exactly equal is refused.
 */
export class AccessControl {
  /** Part of the address that the command prints. */
  readonly token = randomBytes(32).toString('base64url');
  /** Tokens that are valid once, and were not used. */
  readonly #onceTokens = new Set<string>();
  readonly #session = randomBytes(32).toString('base64url');
  readonly #cookieName: string;
  readonly #hosts: readonly string[];
  readonly #now: () => number;
  #failures = 0;
  #failuresSince = 0;

  constructor(port: number, now: () => number = () => performance.now()) {
    this.#cookieName = `leanscope-${port}`;
    this.#hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
    this.#now = now;
  }

  /** A token that is valid for the first browser that brings it. */
  createOnceToken(): string {
    const token = randomBytes(32).toString('base64url');
    this.#onceTokens.add(token);
    return token;
  }

  /** `token`: the token in the request's address, if there is one. `isPublic`: what is requested is no secret. */
  judge(request: IncomingMessage, token: string | undefined, isPublic = false): Access {
    const host = this.#hostOf(request);
    if (host === undefined) return { verdict: 'refused', status: 421 };
    if (!this.#hasGoodOrigin(request, host)) return REFUSED;
    if (this.#hasCookie(request)) {
      if (token === undefined) return { verdict: 'allowed' };
      // The browser has the cookie and opens an address with a token again: the token is removed from its address bar. Its
      // database has the address, so that a token that is valid once is used by this, too.
      this.#useOnce(token);
      return this.#exchange(request);
    }
    if (token === undefined) return isPublic ? { verdict: 'allowed' } : REFUSED;
    const isNavigation = request.method === 'GET' && request.headers.upgrade === undefined;
    if (isNavigation && (isSecret(token, this.token) || this.#useOnce(token))) return this.#exchange(request);
    return this.#isTooOften() ? { verdict: 'refused', status: 429 } : REFUSED;
  }

  /** Whether it is a token that is valid once. It is not any more. */
  #useOnce(token: string): boolean {
    for (const each of this.#onceTokens) if (isSecret(token, each)) return this.#onceTokens.delete(each);
    return false;
  }

  #exchange(request: IncomingMessage): Access {
    return {
      verdict: 'exchange',
      cookie: `${this.#cookieName}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`,
      to: sendsCookieOn(request) ? '/' : ENTRY_PATH,
    };
  }

  /** The Host header if there is exactly one and it names this server. */
  #hostOf(request: IncomingMessage): string | undefined {
    const hosts = headersNamed(request, 'host');
    return hosts.length === 1 ? this.#hosts.find((host) => host === hosts[0]) : undefined;
  }

  #hasGoodOrigin(request: IncomingMessage, host: string): boolean {
    const origins = headersNamed(request, 'origin');
    if (origins.length > 0) return origins.length === 1 && origins[0] === `http://${host}`;
    const isPlain = request.method === 'GET' || request.method === 'HEAD';
    return isPlain && request.headers.upgrade === undefined;
  }

  #hasCookie(request: IncomingMessage): boolean {
    const prefix = `${this.#cookieName}=`;
    return headersNamed(request, 'cookie').some((header) =>
      header
        .split(';')
        .map((pair) => pair.trim())
        .some((pair) => pair.startsWith(prefix) && isSecret(pair.slice(prefix.length), this.#session)),
    );
  }

  #isTooOften(): boolean {
    const now = this.#now();
    if (now - this.#failuresSince > FAILURES_WITHIN_MS) {
      this.#failuresSince = now;
      this.#failures = 0;
    }
    return ++this.#failures > MAX_FAILURES;
  }
}

/**
 * Whether it is a browser that follows a redirect with its SameSite=Strict cookie: one in which nothing else led to this
 * request. Scripts do not send this header, and many keep no cookies; they get a page of status 200.
 */
function sendsCookieOn(request: IncomingMessage): boolean {
  const [site] = headersNamed(request, 'sec-fetch-site');
  return site === 'none' || site === 'same-origin';
}

/** Compares in constant time. */
function isSecret(given: string, secret: string): boolean {
  const givenBytes = Buffer.from(given);
  const secretBytes = Buffer.from(secret);
  return givenBytes.length === secretBytes.length && timingSafeEqual(givenBytes, secretBytes);
}

/** All headers of a name as they were sent: in `headers`, Node joins or drops repeated ones. */
function headersNamed(request: IncomingMessage, name: string): readonly string[] {
  const { rawHeaders } = request;
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at].toLowerCase() === name) values.push(rawHeaders[at + 1]);
  }
  return values;
}
