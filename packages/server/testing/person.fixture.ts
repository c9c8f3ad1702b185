// A user with a browser: keeps the session cookie and sends the headers that browsers send.
import type { Account } from '@tickwire/contract';
import type { RunningService } from './service.fixture.ts';
import { StreamClient } from './stream-client.fixture.ts';

export const PASSWORD = 'correct horse battery';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let people = 0;
/** A different address for each user, as seen through a trusted proxy. */
const nextAddress = (): string => `198.51.${100 + (++people >> 8)}.${people & 255}`;

export class Person {
  readonly address: string;
  readonly #url: string;
  /** As the browser sends it; `null` if there is none. */
  cookie: string | null = null;

  constructor({ url }: Pick<RunningService, 'url'>, address = nextAddress()) {
    this.#url = url;
    this.address = address;
  }

  /** Creates the owner account of a service that has none. */
  static async owner(service: RunningService, name = 'The Owner'): Promise<Person> {
    const owner = new Person(service);
    const token = new URL(service.app.setupUrl!).searchParams.get('token');
    await owner.must(201, owner.post('/api/account/setup', { token, name, password: PASSWORD }));
    return owner;
  }

  /** Signs up a new user. Registration must be open. */
  static async signedUp(service: RunningService, name: string): Promise<Person> {
    const person = new Person(service);
    await person.must(201, person.post('/api/account/sign-up', { name, password: PASSWORD }));
    return person;
  }

  /** The headers that a browser sends. */
  headers(): Record<string, string> {
    return {
      Origin: this.#url,
      'User-Agent': AGENT,
      'X-Forwarded-For': this.address,
      ...(this.cookie && { Cookie: this.cookie }),
    };
  }

  async post(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('POST', path, JSON.stringify(body), headers);
  }

  async put(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('PUT', path, JSON.stringify(body), headers);
  }

  async delete(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send('DELETE', path, null, headers);
  }

  /** Sends a request that changes something. */
  async send(
    method: string,
    path: string,
    body: string | null,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.#fetch(path, { method, body, headers: { ...this.headers(), ...headers } });
  }

  /** Browsers send no Origin with a plain GET. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const { Origin: _, ...usual } = this.headers();
    return this.#fetch(path, { headers: { ...usual, ...headers } });
  }

  async signIn(name: string, password = PASSWORD): Promise<Response> {
    return this.post('/api/account/sign-in', { name, password });
  }

  /** Opens a stream as a page of the service does. */
  stream(channel = 'market'): Promise<StreamClient> {
    const { 'User-Agent': _, ...headers } = this.headers();
    return StreamClient.open(`${this.#url.replace(/^http/, 'ws')}/ws/${channel}`, undefined, { headers });
  }

  /** Repeats the password, so that the next five minutes allow privileged steps. */
  async confirm(): Promise<void> {
    await this.must(200, this.post('/api/account/confirm', { password: PASSWORD }));
  }

  /** Creates a key of the account. */
  async key(scopes: readonly string[] = ['read', 'publish']): Promise<string> {
    await this.confirm();
    return (await this.must<{ key: string }>(201, this.post('/api/keys', { name: 'bot', scopes }))).key;
  }

  /** The body of a response that must have this status. */
  async must<T = Account>(status: number, response: Promise<Response> | Response): Promise<T> {
    const given = await response;
    const text = await given.text();
    if (given.status !== status) throw new Error(`${given.status} instead of ${status}: ${text}`);
    return JSON.parse(text) as T;
  }

  async read<T>(path: string): Promise<T> {
    return this.must<T>(200, this.get(path));
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(this.#url + path, init);
    const set = response.headers.get('set-cookie');
    if (set !== null) {
      const [pair = ''] = set.split(';');
      this.cookie = /Max-Age=0\b/.test(set) ? null : pair;
    }
    return response;
  }
}

/** Status and code of an error response. */
export const refusal = async (response: Promise<Response>): Promise<[number, string]> => {
  const given = await response;
  return [given.status, ((await given.json()) as { code: string }).code];
};
