// The number that tells when accounts, keys or sessions were changed, by whatever process. One connection listens for it
// and asks for it twice a second as well: the question finds a connection that hears nothing any more, and another is made.
import { Client } from 'pg';
import type { Address } from './address.ts';
import { clientConfig, destroy } from './client.ts';
import { ACCESS_SCHEMA } from './schema.ts';

const ASK_MS = 500;
/** A listening connection that does not answer within this is given up. */
const ANSWER_MS = 1_000;
const RECONNECT_MS = 250;

export class AccessChanges {
  readonly #address: Address;
  #client: Client | null = null;
  #version = 0;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #turning = false;
  #asking: Promise<void> | null = null;
  #again = false;

  constructor(address: Address) {
    this.#address = address;
  }

  get version(): number {
    return this.#version;
  }

  /** Whether changes are heard of at this moment. */
  get listening(): boolean {
    return this.#client !== null;
  }

  async start(): Promise<void> {
    await this.#listen();
    this.#wait(ASK_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    if (!client) return;
    const timer = setTimeout(() => destroy(client), ANSWER_MS);
    await client.end().catch(() => {});
    clearTimeout(timer);
  }

  async #listen(): Promise<void> {
    const client = new Client(clientConfig(this.#address, ANSWER_MS));
    const gone = (): void => {
      if (this.#client !== client) return;
      this.#client = null;
      if (!this.#turning) this.#wait(0);
    };
    client.on('error', gone);
    client.on('end', gone);
    client.on('notification', () => this.#ask(client));
    try {
      await client.connect();
      // First the ear, then the question: nothing falls between them.
      await client.query('LISTEN tickwire_access');
      this.#client = client;
      // A question to the connection before is of no use any more.
      this.#asking = null;
      await this.#ask(client);
      if (this.#client !== client) throw new Error('the connection was lost');
      if (this.#closed) await this.close();
    } catch (error) {
      this.#client = null;
      destroy(client);
      throw error;
    }
  }

  /** One question at a time; news that comes meanwhile asks once more. */
  #ask(client: Client): Promise<void> {
    this.#again = this.#asking !== null;
    if (this.#asking) return this.#asking;
    const asking = this.#read(client).finally(() => {
      if (this.#asking !== asking) return;
      this.#asking = null;
      if (this.#again && this.#client === client) this.#ask(client);
    });
    this.#asking = asking;
    return asking;
  }

  async #read(client: Client): Promise<void> {
    try {
      const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${ACCESS_SCHEMA}.changes`);
      this.#version = rows[0]?.version ?? 0;
    } catch {
      if (this.#client === client) this.#client = null;
      destroy(client);
    }
  }

  #wait(ms: number): void {
    if (this.#closed) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#turn(), ms);
    this.#timer.unref();
  }

  async #turn(): Promise<void> {
    if (this.#turning) return;
    this.#turning = true;
    try {
      if (this.#client) await this.#ask(this.#client);
      else await this.#listen();
    } catch {
      // The database is away. Every other statement says so too.
    } finally {
      this.#turning = false;
    }
    this.#wait(this.#client ? ASK_MS : RECONNECT_MS);
  }
}
