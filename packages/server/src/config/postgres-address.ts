// The address of a PostgreSQL database: postgres://user:password@host:5432/name?sslmode=verify-full&sslrootcert=/path/ca.pem
// TLS modes are those of libpq: `require` encrypts without checking the server, `verify-ca` and `verify-full` check it.
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { StoreError } from '../errors/store-error.ts';

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const PARAMETERS = new Set(['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'application_name']);

export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly applicationName: string;
  readonly tls: ConnectionOptions | false;
  /** Without user and password, for messages. */
  readonly shown: string;
}

/** The error in an address; `null` if it is valid. */
export function postgresAddressError(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    return 'it must be an address such as postgres://user@host:5432/name';
  if (url.hostname === '' || url.pathname.length < 2) return 'the host or the name of the database is missing';
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) return `${unknown} is not a known parameter (${[...PARAMETERS].join(', ')})`;
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.some((known) => known === mode))
    return `sslmode must be one of ${SSL_MODES.join(', ')}`;
  if (mode === 'verify-ca' && !url.searchParams.has('sslrootcert')) return 'sslmode=verify-ca needs sslrootcert';
  return null;
}

export function parsePostgresAddress(text: string): PostgresAddress {
  const problem = postgresAddressError(text);
  if (problem) throw new StoreError(`the address of the database is not valid: ${problem}`);
  const url = new URL(text);
  const database = decodeURIComponent(url.pathname.slice(1));
  const port = Number(url.port) || 5432;
  return {
    host: url.hostname.replace(/^\[(.+)\]$/, '$1'),
    port,
    user: decodeURIComponent(url.username) || 'postgres',
    password: url.password ? decodeURIComponent(url.password) : undefined,
    database,
    applicationName: url.searchParams.get('application_name') ?? 'tickwire',
    tls: tlsOf(url),
    shown: `postgres://${url.hostname}:${port}/${database}`,
  };
}

function tlsOf({ searchParams, hostname }: URL): ConnectionOptions | false {
  const file = (name: string): string | undefined => {
    const path = searchParams.get(name);
    if (path === null) return undefined;
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      throw new StoreError(`${name} ${path} cannot be read: ${(error as Error).message}`);
    }
  };
  const [ca, cert, key] = [file('sslrootcert'), file('sslcert'), file('sslkey')];
  const mode = searchParams.get('sslmode') ?? (ca ? 'verify-full' : 'disable');
  if (mode === 'disable') return false;
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  // Checks the host in the address, also if it is an IP address, which the driver would not pass on.
  if (mode === 'verify-full')
    return { ...files, checkServerIdentity: (_host, peer) => checkServerIdentity(hostname, peer) };
  // With a CA, `require` checks the certificate but not its host name, as in libpq.
  if (ca) return { ...files, checkServerIdentity: () => undefined };
  return { ...files, rejectUnauthorized: false };
}
