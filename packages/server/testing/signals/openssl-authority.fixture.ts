// A time-stamp authority whose tokens are made by openssl: a second implementation of RFC 3161.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CONFIG = `
[req]
distinguished_name = name
prompt = no
[name]
CN = unused
[ca]
basicConstraints = critical,CA:TRUE,pathlen:1
keyUsage = critical,keyCertSign,cRLSign
[between]
basicConstraints = critical,CA:TRUE,pathlen:0
keyUsage = critical,keyCertSign,cRLSign
[authority]
basicConstraints = CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[tsa]
serial = ./serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
`;

export interface OpensslAuthority {
  readonly url: string;
  /** PEM file of its root certificate. */
  readonly rootFile: string;
  stop(): Promise<void>;
}

/** `keys`: as for `openssl req -newkey`. The signer descends from the root through an intermediate authority. */
export async function startOpensslAuthority(folder: string, keys: readonly string[]): Promise<OpensslAuthority> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'openssl.cnf'), CONFIG);
  writeFileSync(join(folder, 'serial'), '01\n');
  const openssl = async (...args: string[]): Promise<void> => {
    const child = Bun.spawn(['openssl', ...args], { cwd: folder, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' });
    const text = await new Response(child.stderr).text();
    if ((await child.exited) !== 0) throw new Error(`openssl ${args.join(' ')}: ${text}`);
  };
  const request = ['req', '-config', 'openssl.cnf', '-newkey', ...keys, '-nodes'];
  await openssl(
    ...request,
    '-x509',
    '-extensions',
    'ca',
    '-days',
    '3650',
    '-subj',
    '/CN=Root',
    '-keyout',
    'root.key',
    '-out',
    'root.pem',
  );
  const issue = async (name: string, issuer: string, extensions: string): Promise<void> => {
    await openssl(...request, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    await openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      `${issuer}.pem`,
      '-CAkey',
      `${issuer}.key`,
      '-CAcreateserial',
      '-days',
      '365',
      '-extfile',
      'openssl.cnf',
      '-extensions',
      extensions,
      '-out',
      `${name}.pem`,
    );
  };
  await issue('between', 'root', 'between');
  await issue('signer', 'between', 'authority');
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(asked) {
      writeFileSync(join(folder, 'query.tsq'), new Uint8Array(await asked.arrayBuffer()));
      await openssl(
        'ts',
        '-reply',
        '-config',
        'openssl.cnf',
        '-section',
        'tsa',
        '-queryfile',
        'query.tsq',
        '-signer',
        'signer.pem',
        '-inkey',
        'signer.key',
        '-chain',
        'between.pem',
        '-out',
        'reply.tsr',
      );
      const headers = { 'Content-Type': 'application/timestamp-reply' };
      return new Response(await Bun.file(join(folder, 'reply.tsr')).bytes(), { headers });
    },
  });
  return { url: String(server.url), rootFile: join(folder, 'root.pem'), stop: () => server.stop(true) };
}
