// Compares the image and the compose file with the code: settings, ports, health checks, secrets.
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { proxyTest } from '../packages/server/src/access/client-address.ts';
import { SETTINGS } from '../packages/server/src/config/settings.ts';
import { GATEWAY_ROLE, gatewayRoleSql } from '../packages/server/src/store/postgres/gateway-role.ts';
import { files, isPinned, ROOT, read, yaml } from './deploy-files.fixture.ts';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly restart: string;
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address: string }>>;
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
/** Services that end after their work. */
const ONCE = new Set(['migrate', 'roles']);
const services = Object.entries(compose.services);
const ofRole = (role: string): [string, Service][] => services.filter(([, { command }]) => command?.includes(role));

test('deployment files and their documentation name only existing settings', () => {
  const known = new Set(['TICKWIRE_CONFIG', ...Object.keys(SETTINGS).map((name) => `TICKWIRE_${name.toUpperCase()}`)]);
  const paths = [
    'Dockerfile',
    'docs/operating.md',
    'docs/self-hosting.md',
    'docs/scaling.md',
    'docs/security.md',
    'docs/reference/cluster.md',
    'docs/reference/monitoring.md',
    ...files('deploy', (name) => !name.endsWith('.test.ts') && !name.endsWith('.mq5')),
  ];
  for (const path of paths) {
    const unknown = [...new Set(read(path).match(/\bTICKWIRE_[A-Z_]+\b/g))].filter((name) => !known.has(name));
    expect(unknown, path).toEqual(['TICKWIRE_API_KEY'].filter((name) => unknown.includes(name)));
  }
});

test('the image is packed from every package, runs as a numeric non-root user and pins its base images', () => {
  const dockerfile = read('Dockerfile');
  for (const name of readdirSync(join(ROOT, 'packages'), { withFileTypes: true }).filter((each) => each.isDirectory()))
    expect(dockerfile).toContain(`COPY packages/${name.name}/package.json packages/${name.name}/\n`);
  expect(dockerfile).toMatch(/^USER 10001:10001$/m);
  const bases = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, image]) => image!);
  expect(bases).toHaveLength(3);
  expect(bases.filter((image) => !isPinned(image))).toEqual([]);
  expect(dockerfile.indexOf('\nUSER')).toBeLessThan(dockerfile.indexOf('\nENTRYPOINT'));
});

test('the final stage has the installed package, its runtime and the container files, and no sources', () => {
  const stages = read('Dockerfile').split(/^(?=FROM )/m);
  const copied = [...stages.at(-1)!.matchAll(/^COPY (.+)$/gm)].map(([, what]) => what!);
  expect(copied.filter((what) => !/^--from=install |^(--chmod=\S+ )?deploy\/container\//.test(what))).toEqual([]);
  expect(stages.at(-2)).toMatch(/^COPY --from=pack \/packed \/packed$/m);
  expect(stages.at(-2)).not.toMatch(/^COPY (?!--from=pack)/m);
  // A command would need emulation for the image of another platform.
  expect(stages.at(-1)).not.toMatch(/^RUN /m);
  expect(stages.slice(1, -1).filter((stage) => !stage.startsWith('FROM --platform=$BUILDPLATFORM '))).toEqual([]);
  expect(read('deploy/container/tickwire')).toContain('exec bun /app/lib/main.js "$@"');
  const [, checked] = /^HEALTHCHECK .* CMD \["bun", "\/app\/(.+)"\]$/m.exec(stages.at(-1)!)!;
  expect(copied).toContain(`deploy/container/${checked} /app/`);
});

test('the build context contains everything the image copies', () => {
  const kept = read('.dockerignore').split('\n');
  expect(kept).toContain('*');
  const sources = [...read('Dockerfile').matchAll(/^COPY (?!--from)(?:--\S+ )*(.+) \S+$/gm)].flatMap(([, list]) =>
    list!.split(' '),
  );
  expect(sources.length).toBeGreaterThan(5);
  const isKept = (source: string): boolean =>
    kept
      .filter((line) => line.startsWith('!'))
      .map((line) => `${line.slice(1)}/`)
      .some((path) => `${source}/`.startsWith(path) || path.startsWith(`${source}/`));
  expect(sources.filter((source) => !isKept(source))).toEqual([]);
});

test('compose runs two ingest and two gateway nodes behind a proxy, all pinned, health-checked and restarted', () => {
  expect(ofRole('ingest')).toHaveLength(2);
  expect(ofRole('gateway')).toHaveLength(2);
  for (const [name, { image, healthcheck, restart }] of services) {
    expect(isPinned(image.replace(/\$\{\w+:-(.+)\}/, '$1')), image).toBe(true);
    expect(restart, name).toBe(ONCE.has(name) ? 'no' : 'unless-stopped');
    expect(healthcheck?.test !== undefined || ONCE.has(name), name).toBe(true);
  }
});

test('only the proxy publishes ports, and only the gateway nodes share its network', () => {
  expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['caddy']);
  expect(compose.services.caddy!.ports).toEqual(['80:80', '443:443']);
  const namesOf = ({ networks }: Service): readonly string[] =>
    Array.isArray(networks) ? networks : Object.keys(networks);
  const edge = services.filter(([, service]) => namesOf(service).includes('edge')).map(([name]) => name);
  expect(edge).toEqual(['gateway-1', 'gateway-2', 'caddy']);
  expect(compose.networks.core).toEqual({ internal: true });
});

test('each ingest node advertises its own name and link port, and both share a folder', () => {
  for (const [name, { environment, volumes }] of ofRole('ingest')) {
    expect(environment!.TICKWIRE_ADVERTISE).toBe(`https://${name}:${environment!.TICKWIRE_LINK_PORT}`);
    expect(volumes).toEqual(['ingest-data:/data']);
  }
});

test('gateway nodes trust the address of the proxy, and no other address of their network', () => {
  const defaultOf = (text: string): string => text.replace(/\$\{\w+:-(.+)\}/, '$1');
  const caddy = compose.services.caddy!.networks as Readonly<Record<string, { readonly ipv4_address: string }>>;
  const proxy = defaultOf(caddy.edge!.ipv4_address);
  for (const [, { environment }] of ofRole('gateway'))
    expect(defaultOf(environment!.TICKWIRE_TRUSTED_PROXIES!)).toBe(proxy);
  expect(isIP(proxy)).toBe(4);
  const edge = compose.networks.edge as { ipam: { config: { subnet: string; ip_range: string }[] } };
  const [{ subnet, ip_range }] = edge.ipam.config as [{ subnet: string; ip_range: string }];
  const contains = (network: string): boolean => proxyTest([defaultOf(network)])(proxy);
  expect([contains(subnet), contains(ip_range)]).toEqual([true, false]);
  expect(isIP(/^TICKWIRE_TRUSTED_PROXIES=(.+)$/m.exec(read('deploy/systemd/gateway.env.example'))![1]!)).toBe(4);
});

test('gateway nodes have the database role that gateway-role.sql creates, and not that of the owner', () => {
  expect(read('deploy/gateway-role.sql')).toBe(gatewayRoleSql('tickwire'));
  for (const [, { environment, secrets }] of ofRole('gateway')) {
    expect(secrets).toEqual(['gateway.json', 'two-factor.key']);
    expect(environment!.TICKWIRE_TWO_FACTOR_KEY).toBe('/run/secrets/two-factor.key');
    expect(environment!.TICKWIRE_CONFIG).toBe('/run/secrets/gateway.json');
  }
  expect(read('deploy/make-secrets.sh')).toContain(`postgres://${GATEWAY_ROLE}:$gateway_password@`);
  expect(compose.services.roles!.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
});

test('the proxy has the address of every gateway node and checks its readiness', () => {
  const gateways = ofRole('gateway').map(([name, { environment }]) => `${name}:${environment!.TICKWIRE_PORT}`);
  expect(compose.services.caddy!.environment!.GATEWAYS).toBe(gateways.join(' '));
  const caddyfile = read('deploy/Caddyfile');
  expect(caddyfile).toContain(`{$GATEWAYS:${gateways.join(' ')}}`);
  expect(caddyfile).toContain('health_uri /readyz');
});

test('the proxy keeps keys and tokens in addresses out of its log', () => {
  const [, pattern, replacement] = /request>uri regexp "(.+)" "(.+)"/.exec(read('deploy/Caddyfile'))!;
  const logged = (uri: string): string =>
    uri.replaceAll(new RegExp(pattern!, 'g'), replacement!.replace(/\$\{1\}/, '$1'));
  expect(logged('/setup?token=s3cret')).toBe('/setup?token=hidden');
  expect(logged('/join?x=1&token=s3cret&y=2')).toBe('/join?x=1&token=hidden&y=2');
  expect(logged('/hooks/tradingview/tw_s3cret?x=1')).toBe('/hooks/tradingview/hidden?x=1');
  expect(logged('/link/tw_s3cret/history?symbol=EURUSD')).toBe('/link/hidden/history?symbol=EURUSD');
  expect(logged('/api/quotes?symbols=EURUSD')).toBe('/api/quotes?symbols=EURUSD');
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
