// Runs queries on the tables of accounts and keys, directly or in a transaction.
import type { Kysely } from 'kysely';
import type { AccessTables } from './access-tables.ts';

export type Work = <T>(work: (tables: Kysely<AccessTables>) => Promise<T>) => Promise<T>;
