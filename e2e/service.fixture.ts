// The service as a user starts it, in a separate process with its own folder. It can be killed and restarted at the same address,
// so that open pages can reconnect.
import { rmSync } from 'node:fs';
import { PASSWORD, Person } from '../packages/server/testing/person.fixture.ts';
import { killLeftovers, ServiceProcess } from '../packages/server/testing/process.fixture.ts';
import { makeKey, type Settings, temporaryFolder } from '../packages/server/testing/service.fixture.ts';

export { PASSWORD, type Person };

/** Pages draw every quote: at 100 per second, an open chart takes 0.4 of a processor core. Default: 50. */
const QUIET = { log: 'warn', sim_rate: '10' } as const;

export class Service {
  readonly folder = temporaryFolder();
  readonly #settings: Settings;
  #process: ServiceProcess | null = null;
  /** The same after a restart. */
  url = '';
  /** From the first start: creates the owner's account. */
  setupUrl = '';
  /** From the first start. */
  demoKey = '';

  private constructor(settings: Settings) {
    this.#settings = settings;
  }

  static async start(settings: Settings = {}): Promise<Service> {
    const service = new Service(settings);
    await service.#serve('0');
    const { out } = service.#process!;
    service.setupUrl = /^ {4}(http\S+\/setup\?token=\S+)$/m.exec(out)?.[1] ?? '';
    service.demoKey = service.#process!.demoKey ?? '';
    return service;
  }

  /** Its log output. */
  get log(): string {
    return this.#process?.err ?? '';
  }

  /** SIGKILL: connections are not closed gracefully. */
  async kill(): Promise<void> {
    await this.#process!.kill();
  }

  async restart(): Promise<void> {
    await this.#serve(new URL(this.url).port);
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
    await killLeftovers();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Creates the owner account without a browser. */
  async owner(name = 'Olivia Owner'): Promise<Person> {
    const token = new URL(this.setupUrl).searchParams.get('token');
    return this.#newAccount('/api/account/setup', { token, name });
  }

  /** Creates another account, by an invitation of the owner. */
  async guest(owner: Person, name: string, tier = 'pro'): Promise<Person> {
    const body = { tier, expires_days: 1 };
    const { link } = await owner.must<{ link: string }>(201, owner.post('/api/admin/invitations', body));
    return this.#newAccount('/api/account/sign-up', { invitation: new URL(link).searchParams.get('token'), name });
  }

  /** Creates a key of a new account in the store. It works once the service has reloaded its keys. */
  async key(scopes: readonly string[], tier = 'premium'): Promise<string> {
    return (await makeKey(this.folder, tier, scopes)).key;
  }

  async #newAccount(path: string, body: object): Promise<Person> {
    const person = new Person(this);
    await person.must(201, person.post(path, { ...body, password: PASSWORD }));
    return person;
  }

  async #serve(port: string): Promise<void> {
    this.#process = await ServiceProcess.start({ ...QUIET, ...this.#settings, data: this.folder, port });
    this.url = this.#process.url;
  }
}
