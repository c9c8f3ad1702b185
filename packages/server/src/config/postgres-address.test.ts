import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { postgresForTests } from '../../testing/external-services.fixture.ts';
import { reportSkipped } from '../../testing/skipped.fixture.ts';
import { type TlsProxy, tlsProxy } from '../../testing/store/postgres-tls-proxy.fixture.ts';
import { refusalOf } from '../../testing/store/samples.fixture.ts';
import { StoreError } from '../errors/store-error.ts';
import { PostgresDatabase } from '../store/postgres/database.ts';
import { parsePostgresAddress, postgresAddressError } from './postgres-address.ts';

describe('the address of a PostgreSQL database', () => {
  test('is decoded, and its display form has no user and password', () => {
    const address = parsePostgresAddress('postgres://us%40er:p%2Fss@db.example.org/na%20me?application_name=gw1');
    expect(address).toMatchObject({
      host: 'db.example.org',
      port: 5432,
      user: 'us@er',
      password: 'p/ss',
      database: 'na me',
      applicationName: 'gw1',
      tls: false,
    });
    expect(address.shown).toBe('postgres://db.example.org:5432/na me');
    expect(parsePostgresAddress('postgresql://u@[::1]:6000/n')).toMatchObject({ host: '::1', port: 6000 });
  });

  test.each([
    ['nonsense', 'it must be an address'],
    ['mysql://host/name', 'it must be an address'],
    ['postgres://host', 'is missing'],
    ['postgres://host/', 'is missing'],
    ['postgres://host/n?sslmode=prefer', 'sslmode must be one of'],
    ['postgres://host/n?sslmode=verify-ca', 'needs sslrootcert'],
    ['postgres://host/n?pool=3', 'pool is not a known parameter'],
  ])('%s is reported as wrong', (text, fault) => {
    expect(postgresAddressError(text)).toContain(fault);
    expect(() => parsePostgresAddress(text)).toThrow(StoreError);
  });

  test('the error for a missing certificate names the file', () => {
    expect(() => parsePostgresAddress('postgres://h/n?sslmode=verify-full&sslrootcert=/no/such.pem')).toThrow(
      '/no/such.pem',
    );
  });
});

const server = await postgresForTests();
const openssl = Bun.which('openssl');
if (!openssl) reportSkipped('TLS tests', 'openssl is not installed');

describe.skipIf(server === null || !openssl)('TLS to PostgreSQL', () => {
  let front: TlsProxy;
  beforeAll(async () => {
    front = await tlsProxy(server!);
  });
  afterAll(() => front.stop());
  const ask = async (url: string): Promise<unknown> => {
    const database = new PostgresDatabase({
      address: parsePostgresAddress(url),
      searchPath: ['public'],
      connections: 1,
    });
    return refusalOf(database.rows('SELECT 1')).finally(() => database.close());
  };

  test('is used if the address requests it, with or without checking the server', async () => {
    const url = new URL(front.url);
    expect(await ask(`${url}?sslmode=require`)).toBeNull();
    expect(await ask(`${url}?sslmode=verify-full&sslrootcert=${front.certificate}`)).toBeNull();
  });

  test('rejects an untrusted server and one with a different name', async () => {
    const untrusted = await ask(`${front.url}?sslmode=verify-full`);
    expect(untrusted).toBeInstanceOf(StoreError);
    expect((untrusted as Error).message).toMatch(/certificate/i);
    const elsewhere = front.url.replace('localhost', '127.0.0.1');
    const misnamed = await ask(`${elsewhere}?sslmode=verify-full&sslrootcert=${front.certificate}`);
    expect(misnamed).toBeInstanceOf(StoreError);
    // The CA is checked then, but not the name.
    expect(await ask(`${elsewhere}?sslmode=verify-ca&sslrootcert=${front.certificate}`)).toBeNull();
  });

  test('fails if the server does not support it', async () => {
    const refusal = await ask(`${server}?sslmode=require`);
    expect(refusal).toBeInstanceOf(StoreError);
    expect((refusal as Error).message).toContain('SSL');
  });
});
