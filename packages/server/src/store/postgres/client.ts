// Configures and destroys a single connection to PostgreSQL.
import { type ClientBase, type ClientConfig, types } from 'pg';
import type { PostgresAddress } from '../../config/postgres-address.ts';
import { StoreError } from '../../errors/store-error.ts';

const CONNECT_MS = 3_000;
/** How long a statement may take before its connection is dropped. */
export const QUERY_MS = 5_000;
const KEEP_ALIVE_MS = 5_000;

/** Parses BIGINT as a number: all values are times, counts and sequence numbers, which fit. */
const bigint = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new StoreError(`the database contains the number ${text}, which is out of range`);
  return value;
};
const TYPES: ClientConfig['types'] = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === types.builtins.INT8 && format !== 'binary' ? bigint : types.getTypeParser(oid, format as 'text'),
};

export const clientConfig = (address: PostgresAddress, queryMs: number): ClientConfig => ({
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

/** Closes the socket immediately: a graceful end would wait for a response that may never come. */
export const destroy = (client: ClientBase): void =>
  (client as ClientBase & { connection?: { stream: { destroy(): void } } }).connection?.stream.destroy();
