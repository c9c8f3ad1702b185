// Runs queries on the tables of accounts and keys, directly or in a transaction.
import type { AccessDatabase } from './access-tables.ts';

export type Work = <T>(work: (tables: AccessDatabase) => Promise<T>) => Promise<T>;
