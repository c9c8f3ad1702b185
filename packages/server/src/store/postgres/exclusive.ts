// The lock of whoever alone writes the market data of a realm. It lives in a connection of its own, and is free again when
// that ends, however it ends.
import { Client } from 'pg';
import { StoreError } from '../store.ts';
import type { Address } from './address.ts';
import { clientConfig, destroy, QUERY_MS } from './client.ts';
import { explain } from './explain.ts';

const AGAIN_MS = 1_000;
/** A server notices a client that is gone by this, and frees its lock. */
const SERVER_KEEPALIVE = 'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3';

/** Refuses where another process holds it. A connection that is lost later is made again, and the lock taken again. */
export async function lockRealm(address: Address, realm: string): Promise<() => Promise<void>> {
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let current: Client | null = null;

  const take = async (): Promise<boolean> => {
    const client = new Client({ ...clientConfig(address, QUERY_MS), application_name: `tickwire ${realm} writer` });
    client.on('error', () => {});
    client.on('end', () => {
      if (current === client) current = null;
      if (!closed && current === null) again();
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
      throw explain(address.shown, error);
    }
  };
  const again = (): void => {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = null;
      if (current === null)
        take().then(
          (taken) => taken || again(),
          () => again(),
        );
    }, AGAIN_MS);
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
    throw new StoreError(
      `${address.shown} (${realm}) is in use by another Tickwire: stop it, or give this one another database`,
    );
  }
  return async () => {
    closed = true;
    if (timer) clearTimeout(timer);
    await current?.end().catch(() => {});
  };
}
