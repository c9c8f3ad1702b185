// Compares the image and the compose file with the code: settings, ports, health checks, secrets.
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../packages/server/src/config/settings.ts';
import { files, isPinned, ROOT, read, yaml } from './deploy-files.fixture.ts';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly restart: string;
  readonly networks: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: unknown;
}

const compose = yaml('deploy/compose.yaml')[0] as {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const services = Object.entries(compose.services);
const ofRole = (role: string): [string, Service][] => services.filter(([, { command }]) => command?.includes(role));

test('deployment files and their documentation name only existing settings', () => {
  const known = new Set(['TICKWIRE_CONFIG', ...Object.keys(SETTINGS).map((name) => `TICKWIRE_${name.toUpperCase()}`)]);
  const paths = [
    'Dockerfile',
    'docs/operating.md',
    'docs/scaling.md',
    ...files('deploy', (name) => !name.endsWith('.test.ts') && !name.endsWith('.mq5')),
  ];
  for (const path of paths) {
    const unknown = [...new Set(read(path).match(/\bTICKWIRE_[A-Z_]+\b/g))].filter((name) => !known.has(name));
    expect(unknown, path).toEqual(['TICKWIRE_API_KEY'].filter((name) => unknown.includes(name)));
  }
});

test('the image contains every package, runs as a numeric non-root user and pins its base images', () => {
  const dockerfile = read('Dockerfile');
  for (const name of readdirSync(join(ROOT, 'packages'), { withFileTypes: true }).filter((each) => each.isDirectory()))
    expect(dockerfile).toContain(`COPY packages/${name.name}/package.json packages/${name.name}/\n`);
  expect(dockerfile).toMatch(/^USER 10001:10001$/m);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!);
  expect(bases).toHaveLength(2);
  expect(bases.filter((image) => !isPinned(image))).toEqual([]);
  expect(dockerfile.indexOf('\nUSER')).toBeLessThan(dockerfile.indexOf('\nENTRYPOINT'));
  const version = (JSON.parse(read('packages/server/package.json')) as { version: string }).version;
  expect(dockerfile).toContain(`image.version="${version}"`);
});

test('the build context contains everything the image copies', () => {
  const kept = read('.dockerignore').split('\n');
  expect(kept).toContain('*');
  const sources = [...read('Dockerfile').matchAll(/^COPY (?!--from)(?:--\S+ )*(.+) \S+$/gm)].flatMap(([, list]) =>
    list!.split(' '),
  );
  expect(sources.length).toBeGreaterThan(5);
  for (const source of sources)
    expect(kept.some((line) => line.startsWith('!') && `${source}/`.startsWith(`${line.slice(1)}/`))).toBe(true);
});

test('compose runs two ingest and two gateway nodes behind a proxy, all pinned, health-checked and restarted', () => {
  expect(ofRole('ingest')).toHaveLength(2);
  expect(ofRole('gateway')).toHaveLength(2);
  for (const [name, { image, healthcheck, restart }] of services) {
    expect(isPinned(image.replace(/\$\{\w+:-(.+)\}/, '$1')), image).toBe(true);
    expect(restart, name).toBe(name === 'migrate' ? 'no' : 'unless-stopped');
    expect(healthcheck?.test !== undefined || name === 'migrate', name).toBe(true);
  }
});

test('only the proxy publishes ports, and only the gateway nodes share its network', () => {
  expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['caddy']);
  expect(compose.services.caddy!.ports).toEqual(['80:80', '443:443']);
  const edge = services.filter(([, { networks }]) => networks.includes('edge')).map(([name]) => name);
  expect(edge).toEqual(['gateway-1', 'gateway-2', 'caddy']);
  expect(compose.networks.core).toEqual({ internal: true });
});

test('each ingest node advertises its own name and link port, and both share a folder', () => {
  for (const [name, { environment, volumes }] of ofRole('ingest')) {
    expect(environment!.TICKWIRE_ADVERTISE).toBe(`https://${name}:${environment!.TICKWIRE_LINK_PORT}`);
    expect(volumes).toEqual(['ingest-data:/data']);
  }
});

test('the proxy has the address of every gateway node and checks its readiness', () => {
  const gateways = ofRole('gateway').map(([name, { environment }]) => `${name}:${environment!.TICKWIRE_PORT}`);
  expect(compose.services.caddy!.environment!.GATEWAYS).toBe(gateways.join(' '));
  const caddyfile = read('deploy/Caddyfile');
  expect(caddyfile).toContain(`{$GATEWAYS:${gateways.join(' ')}}`);
  expect(caddyfile).toContain('health_uri /readyz');
});

test('every used secret and volume is declared, and make-secrets.sh creates every secret', () => {
  const used = new Set(services.flatMap(([, { secrets = [] }]) => secrets));
  expect([...used].sort()).toEqual(Object.keys(compose.secrets).sort());
  const script = read('deploy/make-secrets.sh');
  for (const { file } of Object.values(compose.secrets))
    expect(script).toContain(`"$folder/${file.replace('./secrets/', '')}"`);
  const named = services.flatMap(([, { volumes = [] }]) => volumes).filter((volume) => !volume.startsWith('.'));
  expect([...new Set(named.map((volume) => volume.split(':')[0]!))].sort()).toEqual(
    Object.keys(compose.volumes).sort(),
  );
});

test('.env.example has every variable that compose uses', () => {
  const taken = new Set([...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!));
  const given = new Set([...read('deploy/.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name!));
  expect([...taken].sort()).toEqual([...given].sort());
});
