// A PostgreSQL role for gateway nodes. It may read everything, write accounts, keys and usage, and note what it delivered, but it
// may write neither market data nor the signal log: a gateway that was taken over by an attacker cannot rewrite them. The owner of the tables runs migrations and
// ingest nodes, which create partitions.
import type { Realm } from '../../config/config.ts';
import type { SqlSession } from './database.ts';
import { ACCESS_SCHEMA_NAME, REALMS } from './schema.ts';

export const GATEWAY_ROLE = 'tickwire_gateway';
/** What a node that delivers messages changes in a realm: leases, outcomes of attempts, and destinations that moved or left. */
const DELIVERY_COLUMNS = {
  destinations: 'sealed, state',
  destination_queues: 'wake_at, worker, failures, failing_since, last_delivered_at, failure',
  messages: 'state, attempts, first_attempt_at, next_at, delivered_at, reason',
} as const;

/** SQL that creates the role or updates its rights, for an administrator to run in the database of Tickwire. */
export function gatewayRoleSql(owner: string, role = GATEWAY_ROLE): string {
  const [to, by] = [quoted(role), quoted(owner)];
  const realms = REALMS.join(', ');
  const delivery = REALMS.flatMap((realm) =>
    Object.entries(DELIVERY_COLUMNS).map(
      ([table, columns]) => `GRANT UPDATE (${columns}) ON ${realm}.${table} TO ${to};`,
    ),
  );
  return `-- Rights of gateway nodes. Run it as an administrator in the database of Tickwire, after "tickwire migrate". It can be repeated.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${literal(role)}) THEN CREATE ROLE ${to} LOGIN; END IF;
END $$;
GRANT USAGE ON SCHEMA ${ACCESS_SCHEMA_NAME}, ${realms} TO ${to};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${ACCESS_SCHEMA_NAME} TO ${to};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${ACCESS_SCHEMA_NAME} TO ${to};
REVOKE INSERT, UPDATE, DELETE ON ${ACCESS_SCHEMA_NAME}.schema_log, ${ACCESS_SCHEMA_NAME}.log_requests FROM ${to};
GRANT SELECT ON ALL TABLES IN SCHEMA ${realms} TO ${to};
${delivery.join('\n')}
-- Tables of later migrations.
ALTER DEFAULT PRIVILEGES FOR ROLE ${by} IN SCHEMA ${ACCESS_SCHEMA_NAME} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${to};
ALTER DEFAULT PRIVILEGES FOR ROLE ${by} IN SCHEMA ${ACCESS_SCHEMA_NAME} GRANT USAGE ON SEQUENCES TO ${to};
ALTER DEFAULT PRIVILEGES FOR ROLE ${by} IN SCHEMA ${realms} GRANT SELECT ON TABLES TO ${to};
`;
}

/** Tables of signals that the connected role may change. */
export async function writableSignalTables(database: SqlSession, realm: Realm): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = to_regnamespace($1)::oid AND relkind IN ('r', 'p') AND relname LIKE 'signal%'
       AND has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
     ORDER BY relname`,
    [realm],
  );
  return rows.map(({ name }) => name);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
