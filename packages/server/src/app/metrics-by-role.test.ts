// Every role exposes the metrics that docs/reference/monitoring.md lists for it, and no others.
import { describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { canRunCluster, SmallCluster } from '../../testing/app/small-cluster.fixture.ts';
import { parsePrometheus } from '../../testing/prometheus.fixture.ts';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';
import type { App } from './app.ts';

/** A group of the table: `| **Name** | | `all`, `ingest` |`, then a row per metric. */
const GROUP = /^\| \*\*(.+)\*\* \| \| (.+) \|\n((?:\| `\w+` .*\n)+)/gm;
const groups = [
  ...readFileSync(resolve(import.meta.dir, '../../../../docs/reference/monitoring.md'), 'utf8').matchAll(GROUP),
].map(([, name, roles = '', rows = '']) => ({
  name: name!,
  roles: roles.match(/`(all|ingest|gateway)`/g)!.map((each) => each.slice(1, -1)),
  metrics: [...rows.matchAll(/^\| `(\w+)`/gm)].map(([, metric]) => metric!),
}));

/** A language model is only named: nothing is asked. */
const settings = { metrics_port: '0', feeds: 'push', llm_url: 'http://127.0.0.1:9/v1', llm_model: 'none' };

const documented = (role: string): string[] =>
  groups
    .filter(({ roles }) => roles.includes(role))
    .flatMap(({ metrics }) => metrics)
    .sort();
const exposed = async ({ metricsUrl }: Pick<App, 'metricsUrl'>): Promise<string[]> =>
  [...parsePrometheus(await (await fetch(`${metricsUrl}/metrics`)).text()).keys()].sort();

describe('the metrics of docs/reference/monitoring.md are those of', () => {
  test('a single process', async () => {
    const service = await startService(settings);
    expect(await exposed(service.app)).toEqual(documented('all'));
    await service.stop();
  });

  test.skipIf(!canRunCluster)('a gateway that delivers, and an ingest node, active or on standby', async () => {
    const folder = temporaryFolder();
    const delivery_key = join(folder, 'delivery.key');
    writeFileSync(delivery_key, Buffer.alloc(32, 1).toString('base64'), { mode: 0o600 });
    const cluster = await SmallCluster.start({ ...settings, delivery_key });
    const standby = await cluster.standBy();
    try {
      expect(await exposed(cluster.gateway)).toEqual(documented('gateway'));
      expect(await exposed(cluster.ingest)).toEqual(documented('ingest'));
      const ofProcess = groups.find(({ name }) => name === 'Process')!.metrics;
      expect(await exposed(standby)).toEqual([...ofProcess, 'tickwire_ingest_active'].sort());
    } finally {
      await standby.stop();
      await cluster.end();
      rmSync(folder, { recursive: true });
    }
  });
});
