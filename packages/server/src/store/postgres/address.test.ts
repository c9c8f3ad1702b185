import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { postgresForTests } from '../../testing/services.fixture.ts';
import { refusalOf } from '../samples.fixture.ts';
import { StoreError } from '../store.ts';
import { faultOfAddress, readAddress } from './address.ts';
import { Database } from './database.ts';
import { type TlsFront, tlsFront } from './tls-front.fixture.ts';

describe('the address of a database', () => {
  test('has its parts decoded, and never shows user or password', () => {
    const address = readAddress('postgres://us%40er:p%2Fss@db.example.org/na%20me?application_name=gw1');
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
    expect(readAddress('postgresql://u@[::1]:6000/n')).toMatchObject({ host: '::1', port: 6000 });
  });

  test.each([
    ['nonsense', 'it must be an address'],
    ['mysql://host/name', 'it must be an address'],
    ['postgres://host', 'is missing'],
    ['postgres://host/', 'is missing'],
    ['postgres://host/n?sslmode=prefer', 'sslmode must be one of'],
    ['postgres://host/n?sslmode=verify-ca', 'needs sslrootcert'],
    ['postgres://host/n?pool=3', 'pool is not one of its parameters'],
  ])('%s is told to be wrong', (text, fault) => {
    expect(faultOfAddress(text)).toContain(fault);
    expect(() => readAddress(text)).toThrow(StoreError);
  });

  test('a certificate file that is not there is named', () => {
    expect(() => readAddress('postgres://h/n?sslmode=verify-full&sslrootcert=/no/such.pem')).toThrow('/no/such.pem');
  });
});

const server = await postgresForTests();
const openssl = Bun.which('openssl');
if (!openssl) console.warn('SKIPPED: openssl is not there: the TLS tests of PostgreSQL');

describe.skipIf(server === null || !openssl)('TLS to a database', () => {
  let front: TlsFront;
  beforeAll(async () => {
    front = await tlsFront(server!);
  });
  afterAll(() => front.stop());
  const ask = async (url: string): Promise<unknown> => {
    const database = new Database({ address: readAddress(url), searchPath: ['public'], connections: 1 });
    return refusalOf(database.rows('SELECT 1')).finally(() => database.close());
  };

  test('is spoken where the address asks for it, with or without knowing who answers', async () => {
    const url = new URL(front.url);
    expect(await ask(`${url}?sslmode=require`)).toBeNull();
    expect(await ask(`${url}?sslmode=verify-full&sslrootcert=${front.certificate}`)).toBeNull();
  });

  test('is refused to a server that nobody vouches for, or that goes by another name', async () => {
    const untrusted = await ask(`${front.url}?sslmode=verify-full`);
    expect(untrusted).toBeInstanceOf(StoreError);
    expect((untrusted as Error).message).toMatch(/certificate/i);
    const elsewhere = front.url.replace('localhost', '127.0.0.1');
    const misnamed = await ask(`${elsewhere}?sslmode=verify-full&sslrootcert=${front.certificate}`);
    expect(misnamed).toBeInstanceOf(StoreError);
    // Whose certificate it is is known then, and the name does not matter.
    expect(await ask(`${elsewhere}?sslmode=verify-ca&sslrootcert=${front.certificate}`)).toBeNull();
  });

  test('is demanded of a server that has none', async () => {
    const refusal = await ask(`${server}?sslmode=require`);
    expect(refusal).toBeInstanceOf(StoreError);
    expect((refusal as Error).message).toContain('SSL');
  });
});
