// Keeps the cookie of a session for a program. A browser keeps it itself and shows it to no script, so there this file keeps nothing.
import type { Credentials } from './credentials.ts';

/** The session cookie in a `Set-Cookie` header. Cookies of proxies are none of ours. */
const SESSION_COOKIE = /^((?:__Host-)?tickwire=([^;]*))/;

/** The key of a client, or the session that it has started. */
export class Session implements Credentials {
  #apiKey: string | undefined;
  #cookie: string | null = null;
  readonly #isFromEnvironment: boolean;
  readonly #origin: string;

  /** A key of the environment gives way to the session of a client that signs in. */
  constructor(origin: string, apiKey: string | undefined, isFromEnvironment: boolean) {
    this.#origin = origin;
    this.#apiKey = apiKey;
    this.#isFromEnvironment = isFromEnvironment;
  }

  /** `undefined` if a session authenticates. */
  get apiKey(): string | undefined {
    return this.#apiKey;
  }

  /** Headers of the session that this client keeps; `null` if it has none. The service accepts a cookie from its own origin only. */
  get handshakeHeaders(): Record<string, string> | null {
    return this.#apiKey === undefined && this.#cookie !== null ? { Cookie: this.#cookie, Origin: this.#origin } : null;
  }

  /** Headers of every request. */
  get headers(): Record<string, string> {
    return this.#apiKey === undefined ? (this.handshakeHeaders ?? {}) : { 'X-API-Key': this.#apiKey };
  }

  /** Keeps the session that a response starts, and forgets the one that it ends. */
  readonly keep = ({ headers }: Response): void => {
    for (const line of headers.getSetCookie?.() ?? []) {
      const [, pair, token] = SESSION_COOKIE.exec(line) ?? [];
      if (pair === undefined) continue;
      this.#cookie = token ? pair : null;
      if (token && this.#isFromEnvironment) this.#apiKey = undefined;
    }
  };
}
