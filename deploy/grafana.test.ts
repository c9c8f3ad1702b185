// The dashboard of prices and order flow: every query is answered by the service with the fields that it reads, and the files that
// provision it agree with each other.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { newsEvent } from '../packages/server/testing/news.fixture.ts';
import { eventually } from '../packages/server/testing/process.fixture.ts';
import { atMarket, TestPublisher } from '../packages/server/testing/publisher.fixture.ts';
import { type RunningService, startService } from '../packages/server/testing/service.fixture.ts';
import { isPinned, ROOT, read, within, yaml } from './deploy-files.fixture.ts';

const PLUGIN = 'yesoreyeram-infinity-datasource';
const SYMBOL = 'BTCUSD';
/** A variable as Grafana writes it. */
const variable = (name: string): string => `\${${name}}`;

type ColumnType = 'timestamp' | 'number' | 'string';
interface Query {
  readonly refId: string;
  readonly type: string;
  readonly parser: string;
  readonly url: string;
  readonly root_selector: string;
  readonly columns: readonly { readonly selector: string; readonly text: string; readonly type: ColumnType }[];
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly Query[];
}
interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string | { readonly infinityQuery: Query };
}

const { panels, templating } = JSON.parse(read('deploy/grafana/market.json')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly Variable[] };
};
const queries = [
  ...panels.flatMap(({ title, targets }) => targets.map((query) => [title, query] as const)),
  ...templating.list.flatMap(({ name, query }) =>
    typeof query === 'string' ? [] : [[`the variable ${name}`, query.infinityQuery] as const],
  ),
];

describe('a query of the dashboard', () => {
  let service: RunningService;
  let publisher: TestPublisher;
  beforeAll(async () => {
    service = await startService({ sim_rate: '500' });
    publisher = await TestPublisher.of(service);
    await eventually('trades', async () => (await publisher.get(`/api/profile/${SYMBOL}`)).status === 200);
    await publisher.published(await atMarket(publisher, SYMBOL));
    service.app.journal.append([newsEvent('n', { symbols: [SYMBOL], timestamp: new Date().toISOString() })]);
  });
  afterAll(() => service.stop());

  /** As Grafana replaces variables in an address. */
  const addressOf = (url: string): string => {
    const values: Record<string, string> = {
      symbol: SYMBOL,
      interval: '5m',
      __from: `${Date.now() - 12 * 3_600_000}`,
      __to: `${Date.now()}`,
    };
    return url.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      if (!(name in values)) throw new Error(`the dashboard has no variable ${name}`);
      return values[name]!;
    });
  };
  const fits: Readonly<Record<ColumnType, (value: unknown) => boolean>> = {
    number: (value) => typeof value === 'number',
    string: (value) => typeof value === 'string' || typeof value === 'number',
    timestamp: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  };

  test.each(queries)('%s: has an answer with its columns', async (_title, query) => {
    const { url, root_selector, columns } = query;
    const response = await publisher.get(addressOf(url));
    expect([response.status, response.headers.get('warning-parameters')]).toEqual([200, null]);
    const rows = ((await response.json()) as Record<string, Record<string, unknown>[]>)[root_selector]!;
    expect(rows.length).toBeGreaterThan(0);
    // The newest row is complete: the first bars of a simulated past have no trades.
    for (const { selector, type } of columns)
      expect(fits[type](rows.at(-1)![selector]), `${selector}: ${rows.at(-1)![selector]}`).toBe(true);
  });
});

test('every panel has a unique id, fits the width, covers no other, and reads JSON by the chosen data source', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const taken = new Set<string>();
  for (const { title, gridPos, datasource, targets } of panels) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(taken.has(`${x} ${y}`), title).toBe(false);
        taken.add(`${x} ${y}`);
      }
    expect(datasource, title).toEqual({ type: PLUGIN, uid: variable('source') });
    for (const query of targets) expect(query, title).toMatchObject({ type: 'json', parser: 'backend' });
  }
});

test('the provisioned data source has the key in a header and sends it to no other host', () => {
  const [{ datasources }] = yaml('deploy/grafana/provisioning/datasources/tickwire.yaml') as [
    { datasources: { type: string; url: string; jsonData: object; secureJsonData: object }[] },
  ];
  expect(datasources.find(({ type }) => type === PLUGIN)).toMatchObject({
    url: variable('SERVICE_URL'),
    jsonData: {
      auth_method: 'apiKey',
      apiKeyType: 'header',
      apiKeyKey: 'X-API-Key',
      allowedHosts: [variable('SERVICE_URL')],
    },
    secureJsonData: { apiKeyValue: variable('TICKWIRE_API_KEY') },
  });
  expect(datasources.map(({ type }) => type)).toContain('prometheus');
});

test('the compose file mounts what is provisioned, and sets every variable that is used', () => {
  const [{ services }] = yaml('deploy/grafana/compose.yaml') as [
    { services: { grafana: { image: string; environment: Record<string, string>; volumes: string[] } } },
  ];
  const { image, environment, volumes } = services.grafana;
  expect(isPinned(image)).toBe(true);
  expect(environment.GF_PLUGINS_PREINSTALL).toMatch(new RegExp(`^${PLUGIN}@\\d+\\.\\d+\\.\\d+$`));
  for (const volume of volumes.filter((each) => each.startsWith('./')))
    expect(existsSync(join(ROOT, 'deploy/grafana', volume.split(':')[0]!)), volume).toBe(true);
  const [{ providers }] = yaml('deploy/grafana/provisioning/dashboards/tickwire.yaml') as [
    { providers: { options: { path: string } }[] },
  ];
  for (const name of ['tickwire.json', 'market.json'])
    expect(volumes).toContain(`./${name}:${providers[0]!.options.path}/${name}:ro`);
  const used = read('deploy/grafana/provisioning/datasources/tickwire.yaml').matchAll(/\$\{(\w+)\}/g);
  for (const [, name] of used) expect(environment).toHaveProperty(name!);
  expect(within(services, (each) => each.privileged === true)).toEqual([]);
});
