// Consistency of the manifests: ports, selectors, probes, network policies.
import { expect, test } from 'bun:test';
import { isIP } from 'node:net';
import { files, isPinned, within, yaml } from './deploy-files.fixture.ts';

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly resources: { readonly requests: object; readonly limits: { readonly memory: string } };
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Pod {
  readonly enableServiceLinks: boolean;
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly runAsUser: number };
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
  readonly terminationGracePeriodSeconds?: number;
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: Record<string, never>;
}

const BASE = 'deploy/kubernetes/base';
const listed = (yaml(`${BASE}/kustomization.yaml`)[0] as { resources: readonly string[] }).resources;
const manifests = listed.flatMap((file) => yaml(`${BASE}/${file}`) as Manifest[]);
const one = (kind: string, name: string): Manifest => {
  const found = manifests.filter((each) => each.kind === kind && each.metadata.name === name);
  expect(found, `${kind} ${name}`).toHaveLength(1);
  return found[0]!;
};
const podOf = ({ spec }: Manifest): Pod => (spec as unknown as { template: { spec: Pod } }).template.spec;
const settings = one('ConfigMap', 'tickwire').data!;
const services = [one('StatefulSet', 'tickwire-ingest'), one('Deployment', 'tickwire-gateway')];
const workloads = [...services, one('Job', 'tickwire-migrate')];

test('the base lists every manifest in its folder', () => {
  const present = files(BASE, (name) => name.endsWith('.yaml')).map((path) => path.slice(BASE.length + 1));
  expect([...listed, 'kustomization.yaml'].sort()).toEqual(present);
});

test('every container is pinned, runs without root and with a read-only root file system, and has a memory limit', () => {
  for (const workload of workloads) {
    const pod = podOf(workload);
    // Otherwise the address of a service called tickwire would become TICKWIRE_PORT.
    expect(pod.enableServiceLinks).toBe(false);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001 });
    for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
      expect(isPinned(container.image), container.image).toBe(true);
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources.limits.memory).toMatch(/^\d+[MG]i$/);
      const volumes = new Set(pod.volumes.map(({ name }) => name));
      expect(container.volumeMounts.filter(({ name }) => !volumes.has(name))).toEqual([]);
    }
  }
});

test('both roles are probed at the ports they listen on', () => {
  for (const workload of services) {
    const [container] = podOf(workload).containers;
    const ports = Object.fromEntries(container!.ports!.map(({ name, containerPort }) => [name, containerPort]));
    expect(ports).toEqual({
      http: Number(settings.TICKWIRE_PORT),
      metrics: Number(settings.TICKWIRE_METRICS_PORT),
      ...(workload.kind === 'StatefulSet' && { link: Number(settings.TICKWIRE_LINK_PORT) }),
    });
    expect(container!.livenessProbe!.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(container!.readinessProbe!.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(container!.startupProbe!.httpGet).toEqual({ path: '/healthz', port: 'http' });
  }
});

test('a gateway node has time to be removed from the service and to drain before it is killed', () => {
  const pod = podOf(one('Deployment', 'tickwire-gateway'));
  const [preStop] = within(pod, (each) => 'preStop' in each);
  const [, seconds] = (preStop!.preStop as { exec: { command: [string, string] } }).exec.command;
  // cli/serve.ts allows 4.8 s for a shutdown.
  expect(pod.terminationGracePeriodSeconds!).toBeGreaterThanOrEqual(Number(seconds) + 15);
});

test('every selector matches pods, and services name existing ports', () => {
  const components = new Set(workloads.map(({ spec }) => labelOf((spec as unknown as { template: unknown }).template)));
  for (const manifest of manifests) {
    for (const selector of within(manifest.spec, (each) => 'app.kubernetes.io/component' in each))
      expect(components.has(selector['app.kubernetes.io/component'] as string), manifest.metadata.name).toBe(true);
    if (manifest.kind !== 'Service') continue;
    for (const { targetPort } of (manifest.spec as unknown as { ports: { targetPort: string }[] }).ports)
      expect(['http', 'link', 'metrics']).toContain(targetPort);
  }
});

test('only gateway nodes and Prometheus can reach an ingest node', () => {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  const closed = policies.find(({ metadata }) => metadata.name === 'closed')!;
  expect(closed.spec as unknown).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  const open = policies.filter(
    ({ spec }) =>
      (spec as { ingress?: unknown }).ingress &&
      JSON.stringify((spec as { podSelector?: unknown }).podSelector).includes('ingest'),
  );
  expect(open.map(({ metadata }) => metadata.name)).toEqual(['gateways-to-ingest', 'prometheus-to-metrics']);
  const [rule] = (open[0]!.spec as unknown as { ingress: { from: unknown; ports: unknown }[] }).ingress;
  expect(rule).toEqual({
    from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/component': 'gateway' } } }],
    ports: [{ protocol: 'TCP', port: Number(settings.TICKWIRE_LINK_PORT) }],
  });
});

test('pods can reach only DNS, the stores and what their role needs', () => {
  const egress = manifests.filter(
    ({ kind, spec }) => kind === 'NetworkPolicy' && (spec as { egress?: unknown }).egress !== undefined,
  );
  const reached = egress.map(({ metadata, spec }) => {
    const { podSelector, policyTypes } = spec as unknown as { podSelector: object; policyTypes: string[] };
    expect(policyTypes).toEqual(['Egress']);
    const ports = within(spec, (each) => 'protocol' in each).map(({ port }) => port);
    return [metadata.name, JSON.stringify(podSelector).match(/gateway|ingest/g) ?? 'all', [...new Set(ports)]];
  });
  const link = Number(settings.TICKWIRE_LINK_PORT);
  expect(reached).toEqual([
    ['to-dns', 'all', [53]],
    ['to-stores', 'all', [5432, 6379]],
    ['gateways-to-link', ['gateway'], [link]],
    ['to-internet', ['ingest'], [443, 9443, 465, 587]],
  ]);
  const blocks = within(egress.at(-1)!.spec, (each) => 'cidr' in each) as { cidr: string; except: string[] }[];
  expect(blocks.map(({ cidr }) => cidr)).toEqual(['0.0.0.0/0', '::/0']);
  for (const network of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'])
    expect(blocks[0]!.except).toContain(network);
});

test('gateway nodes do not have the password of the owner of the tables', () => {
  const keysOf = (name: string, kind: string): unknown[] =>
    within(podOf(one(kind, name)), ({ key, path }) => key !== undefined && path !== undefined).map(({ key }) => key);
  expect(keysOf('tickwire-gateway', 'Deployment')).toEqual(['gateway.json', 'two-factor.key']);
  expect(keysOf('tickwire-ingest', 'StatefulSet')).toEqual(['tickwire.json', 'log-key.pem']);
});

test('the example pins the image by its digest and trusts one address as the proxy', () => {
  const [example] = yaml('deploy/kubernetes/example/kustomization.yaml') as {
    images: { digest?: string; newTag?: string }[];
    patches: { patch: string }[];
  }[];
  for (const { digest, newTag } of example!.images) {
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(newTag).toBeUndefined();
  }
  const trusted = example!.patches.flatMap(({ patch }) => /TRUSTED_PROXIES, value: ([^ ]+) /.exec(patch)?.[1] ?? []);
  expect([settings.TICKWIRE_TRUSTED_PROXIES, ...trusted].map((each) => isIP(each!))).toEqual([4, 4]);
});

test('an ingest node advertises the DNS name of its service', () => {
  const ingest = one('StatefulSet', 'tickwire-ingest');
  const { serviceName } = ingest.spec as unknown as { serviceName: string };
  one('Service', serviceName);
  const [advertise] = within(ingest, ({ name }) => name === 'TICKWIRE_ADVERTISE');
  expect(advertise!.value).toBe(`https://$(POD_NAME).${serviceName}:${settings.TICKWIRE_LINK_PORT}`);
});

test('the referenced secret matches the example', () => {
  const [example] = yaml('deploy/kubernetes/secret.example.yaml') as { stringData: Record<string, string> }[];
  const referenced = workloads.flatMap((each) => within(podOf(each), (volume) => 'secretName' in volume));
  for (const { secretName, items } of referenced as { secretName: string; items: { key: string }[] }[]) {
    expect(secretName).toBe('tickwire');
    for (const { key } of items) expect(Object.keys(example!.stringData)).toContain(key);
  }
  expect(() => JSON.parse(example!.stringData['tickwire.json']!)).not.toThrow();
});

const labelOf = (template: unknown): string =>
  (template as { metadata: { labels: Record<string, string> } }).metadata.labels['app.kubernetes.io/component']!;
