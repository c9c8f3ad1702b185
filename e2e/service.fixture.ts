// The service as a person starts it, in processes of its own with a folder of its own. It can be killed and started again
// at the same address, so that a page that was open before is open after.
import { rmSync } from 'node:fs';
import { PASSWORD, Person } from '../packages/server/src/testing/person.fixture.ts';
import { killLeftovers, ServiceProcess } from '../packages/server/src/testing/process.fixture.ts';
import { makeKey, type Settings, temporaryFolder } from '../packages/server/src/testing/service.fixture.ts';

export { PASSWORD, type Person };

export class Service {
  readonly folder = temporaryFolder();
  readonly #settings: Settings;
  #process: ServiceProcess | null = null;
  /** The same over all starts. */
  url = '';
  /** Of the first start: where the owner's account is made. */
  setupUrl = '';
  /** Of the first start. */
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

  /** What it wrote to its log. */
  get log(): string {
    return this.#process?.err ?? '';
  }

  /** SIGKILL: nothing gets a chance to say goodbye. */
  async kill(): Promise<void> {
    await this.#process!.kill();
  }

  async startAgain(): Promise<void> {
    await this.#serve(new URL(this.url).port);
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
    await killLeftovers();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Makes the account that owns the service, without a browser. */
  async owner(name = 'Olivia Owner'): Promise<Person> {
    const token = new URL(this.setupUrl).searchParams.get('token');
    return this.#newAccount('/api/account/setup', { token, name });
  }

  /** Makes an account for somebody else, by an invitation of the owner's. */
  async guest(owner: Person, name: string, tier = 'pro'): Promise<Person> {
    const body = { tier, expires_days: 1 };
    const { link } = await owner.must<{ link: string }>(201, owner.post('/api/admin/invitations', body));
    return this.#newAccount('/api/account/sign-up', { invitation: new URL(link).searchParams.get('token'), name });
  }

  /** A key of an account that only has keys, from the next look of the service at its store on. */
  async key(scopes: readonly string[], tier = 'premium'): Promise<string> {
    return (await makeKey(this.folder, tier, scopes)).key;
  }

  async #newAccount(path: string, body: object): Promise<Person> {
    const person = new Person(this);
    await person.must(201, person.post(path, { ...body, password: PASSWORD }));
    return person;
  }

  async #serve(port: string): Promise<void> {
    this.#process = await ServiceProcess.start({ log: 'warn', ...this.#settings, data: this.folder, port });
    this.url = this.#process.url;
  }
}
