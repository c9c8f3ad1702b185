// How a single connection to PostgreSQL is made, and how it is given up.
import { type ClientBase, type ClientConfig, types } from 'pg';
import { StoreError } from '../store.ts';
import type { Address } from './address.ts';

const CONNECT_MS = 3_000;
/** How long a statement may take before its connection is thrown away. */
export const QUERY_MS = 5_000;
const KEEP_ALIVE_MS = 5_000;

/** BIGINT as a number: all of ours are times, counts and sequence numbers, which fit. */
const bigint = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new StoreError(`the database holds ${text}, which is no number we can keep`);
  return value;
};
const TYPES: ClientConfig['types'] = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === types.builtins.INT8 && format !== 'binary' ? bigint : types.getTypeParser(oid, format as 'text'),
};

export const clientConfig = (address: Address, queryMs: number): ClientConfig => ({
  host: address.host,
  port: address.port,
  user: address.user,
  password: address.password,
  database: address.database,
  ssl: address.tls,
  application_name: address.applicationName,
  types: TYPES,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  connectionTimeoutMillis: CONNECT_MS,
  query_timeout: queryMs,
});

/** At once: a polite end would wait for an answer that does not come. */
export const destroy = (client: ClientBase): void =>
  (client as ClientBase & { connection?: { stream: { destroy(): void } } }).connection?.stream.destroy();
