// The address of a PostgreSQL database: postgres://user:password@host:5432/name?sslmode=verify-full&sslrootcert=/path/ca.pem
// TLS as libpq has it: `require` encrypts whoever answers, `verify-ca` and `verify-full` check who does.
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { StoreError } from '../store.ts';

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const PARAMETERS = new Set(['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'application_name']);

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly applicationName: string;
  readonly tls: ConnectionOptions | false;
  /** Without user and password: it may be shown. */
  readonly shown: string;
}

/** What is wrong with it; null where it is right. */
export function faultOfAddress(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    return 'it must be an address such as postgres://user@host:5432/name';
  if (url.hostname === '' || url.pathname.length < 2) return 'the host or the name of the database is missing';
  const stranger = [...url.searchParams.keys()].find((name) => !PARAMETERS.has(name));
  if (stranger !== undefined) return `${stranger} is not one of its parameters: ${[...PARAMETERS].join(', ')}`;
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.some((known) => known === mode))
    return `sslmode must be one of ${SSL_MODES.join(', ')}`;
  if (mode === 'verify-ca' && !url.searchParams.has('sslrootcert')) return 'sslmode=verify-ca needs sslrootcert';
  return null;
}

export function readAddress(text: string): Address {
  const fault = faultOfAddress(text);
  if (fault) throw new StoreError(`the address of the database cannot be used: ${fault}`);
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
  // By the name in the address, also where that is a number, which the driver would not hand on.
  if (mode === 'verify-full')
    return { ...files, checkServerIdentity: (_host, peer) => checkServerIdentity(hostname, peer) };
  // With an authority given, `require` checks the certificate but not the name in it, as it does in libpq.
  if (ca) return { ...files, checkServerIdentity: () => undefined };
  return { ...files, rejectUnauthorized: false };
}
