// The lock of the only process that may write the market data of a realm. It is held by a connection of its own and
// released when that connection ends, for whatever reason.
import { Client } from 'pg';
import type { PostgresAddress } from '../../config/postgres-address.ts';
import { StoreError } from '../../errors/store-error.ts';
import { clientConfig, destroy, QUERY_MS } from './client.ts';
import { toStoreError } from './errors.ts';

const RETRY_MS = 1_000;
/** With these settings the server detects a dead client and releases its lock. */
const SERVER_KEEPALIVE = 'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3';

/** Throws a StoreError if another process holds the lock. Takes it again if the connection is lost. */
export async function lockRealm(address: PostgresAddress, realm: string): Promise<() => Promise<void>> {
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let current: Client | null = null;

  const take = async (): Promise<boolean> => {
    const client = new Client({ ...clientConfig(address, QUERY_MS), application_name: `tickwire ${realm} writer` });
    client.on('error', () => {});
    client.on('end', () => {
      if (current === client) current = null;
      if (!closed && current === null) retry();
    });
    try {
      await client.connect();
      await client.query(SERVER_KEEPALIVE);
      const { rows } = await client.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_lock(hashtext($1), hashtext($2)) AS taken',
        ['tickwire writer', realm],
      );
      if (rows[0]?.taken && !closed) {
        current = client;
        return true;
      }
      await client.end();
      return false;
    } catch (error) {
      destroy(client);
      throw toStoreError(address.shown, error);
    }
  };
  const retry = (): void => {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = null;
      if (current === null)
        take().then(
          (taken) => taken || retry(),
          () => retry(),
        );
    }, RETRY_MS);
    timer.unref();
  };

  let taken = false;
  try {
    taken = await take();
  } catch (error) {
    closed = true;
    if (timer) clearTimeout(timer);
    throw error;
  }
  if (!taken) {
    closed = true;
    if (timer) clearTimeout(timer);
    throw new StoreError(`${address.shown} (${realm}) is in use by another Tickwire: stop it, or use another database`);
  }
  return async () => {
    closed = true;
    if (timer) clearTimeout(timer);
    await current?.end().catch(() => {});
  };
}
