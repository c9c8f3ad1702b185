// A person with a browser: keeps the cookie it is given, and says where its requests come from.
import type { Account } from '@tickwire/contract';
import type { RunningService } from './service.fixture.ts';
import { StreamClient } from './stream-client.fixture.ts';

export const PASSWORD = 'correct horse battery';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let people = 0;
/** Another for each, as behind a proxy that the service trusts. */
const nextAddress = (): string => `198.51.${100 + (++people >> 8)}.${people & 255}`;

export class Person {
  readonly address: string;
  readonly #url: string;
  /** As the browser sends it; null where there is none. */
  cookie: string | null = null;

  constructor({ url }: Pick<RunningService, 'url'>, address = nextAddress()) {
    this.#url = url;
    this.address = address;
  }

  /** The owner of a service that has none yet. */
  static async owner(service: RunningService, name = 'The Owner'): Promise<Person> {
    const owner = new Person(service);
    const token = new URL(service.app.setupUrl!).searchParams.get('token');
    await owner.must(201, owner.post('/api/account/setup', { token, name, password: PASSWORD }));
    return owner;
  }

  /** Somebody new; the service's registration must be open. */
  static async signedUp(service: RunningService, name: string): Promise<Person> {
    const person = new Person(service);
    await person.must(201, person.post('/api/account/sign-up', { name, password: PASSWORD }));
    return person;
  }

  /** What a browser sends with it. */
  headers(): Record<string, string> {
    return {
      Origin: this.#url,
      'User-Agent': AGENT,
      'X-Forwarded-For': this.address,
      ...(this.cookie && { Cookie: this.cookie }),
    };
  }

  async post(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<Response> {
    return this.#fetch(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...this.headers(), ...headers },
    });
  }

  /** Browsers send no Origin with a plain GET. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const { Origin: _, ...usual } = this.headers();
    return this.#fetch(path, { headers: { ...usual, ...headers } });
  }

  async signIn(name: string, password = PASSWORD): Promise<Response> {
    return this.post('/api/account/sign-in', { name, password });
  }

  /** A stream as a page of the service opens it. */
  stream(channel = 'market'): Promise<StreamClient> {
    const { 'User-Agent': _, ...headers } = this.headers();
    return StreamClient.open(`${this.#url.replace(/^http/, 'ws')}/ws/${channel}`, undefined, { headers });
  }

  /** A key of the account. */
  async key(scopes: readonly string[] = ['read', 'publish']): Promise<string> {
    return (await this.must<{ key: string }>(201, this.post('/api/keys', { name: 'bot', scopes }))).key;
  }

  /** The body of an answer that must have this status. */
  async must<T = Account>(status: number, answer: Promise<Response> | Response): Promise<T> {
    const given = await answer;
    const text = await given.text();
    if (given.status !== status) throw new Error(`${given.status} instead of ${status}: ${text}`);
    return JSON.parse(text) as T;
  }

  async read<T>(path: string): Promise<T> {
    return this.must<T>(200, this.get(path));
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const answer = await fetch(this.#url + path, init);
    const set = answer.headers.get('set-cookie');
    if (set !== null) {
      const [pair = ''] = set.split(';');
      this.cookie = /Max-Age=0\b/.test(set) ? null : pair;
    }
    return answer;
  }
}

/** Status and code of a refusal. */
export const refusal = async (answer: Promise<Response>): Promise<[number, string]> => {
  const given = await answer;
  return [given.status, ((await given.json()) as { code: string }).code];
};
