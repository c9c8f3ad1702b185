// Tracks the version number that changes whenever any process changes accounts, keys or sessions. A dedicated
// connection listens for notifications and also polls twice a second: the poll detects a dead connection, which is then
// replaced.
import { Client } from 'pg';
import type { PostgresAddress } from '../../config/postgres-address.ts';
import { clientConfig, destroy } from './client.ts';
import { ACCESS_SCHEMA_NAME } from './schema.ts';

const POLL_MS = 500;
/** A listening connection that does not respond within this time is replaced. */
const RESPONSE_MS = 1_000;
const RECONNECT_MS = 250;

export class AccessChanges {
  readonly #address: PostgresAddress;
  #client: Client | null = null;
  #version = 0;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #polling = false;
  #querying: Promise<void> | null = null;
  #queryAgain = false;

  constructor(address: PostgresAddress) {
    this.#address = address;
  }

  get version(): number {
    return this.#version;
  }

  /** Whether changes are being received now. */
  get listening(): boolean {
    return this.#client !== null;
  }

  async start(): Promise<void> {
    await this.#listen();
    this.#schedule(POLL_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    if (!client) return;
    const timer = setTimeout(() => destroy(client), RESPONSE_MS);
    await client.end().catch(() => {});
    clearTimeout(timer);
  }

  async #listen(): Promise<void> {
    const client = new Client(clientConfig(this.#address, RESPONSE_MS));
    const onLost = (): void => {
      if (this.#client !== client) return;
      this.#client = null;
      if (!this.#polling) this.#schedule(0);
    };
    client.on('error', onLost);
    client.on('end', onLost);
    client.on('notification', () => this.#query(client));
    try {
      await client.connect();
      // Listen before the first query, so that no change falls in between.
      await client.query('LISTEN tickwire_access');
      this.#client = client;
      // A query on the previous connection is obsolete.
      this.#querying = null;
      await this.#query(client);
      if (this.#client !== client) throw new Error('the connection was lost');
      if (this.#closed) await this.close();
    } catch (error) {
      this.#client = null;
      destroy(client);
      throw error;
    }
  }

  /** One query at a time; a notification during a query triggers another one. */
  #query(client: Client): Promise<void> {
    this.#queryAgain = this.#querying !== null;
    if (this.#querying) return this.#querying;
    const querying = this.#read(client).finally(() => {
      if (this.#querying !== querying) return;
      this.#querying = null;
      if (this.#queryAgain && this.#client === client) this.#query(client);
    });
    this.#querying = querying;
    return querying;
  }

  async #read(client: Client): Promise<void> {
    try {
      const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${ACCESS_SCHEMA_NAME}.changes`);
      this.#version = rows[0]?.version ?? 0;
    } catch {
      if (this.#client === client) this.#client = null;
      destroy(client);
    }
  }

  #schedule(ms: number): void {
    if (this.#closed) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#poll(), ms);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    try {
      if (this.#client) await this.#query(this.#client);
      else await this.#listen();
    } catch {
      // The database is unreachable. Every other statement reports that too.
    } finally {
      this.#polling = false;
    }
    this.#schedule(this.#client ? POLL_MS : RECONNECT_MS);
  }
}
