// Dashboard and alerts use existing metrics, and every metric is used.
import { expect, test } from 'bun:test';
import { files, read, yaml } from './deploy-files.fixture.ts';

/** Metrics of Prometheus itself. */
const FOREIGN = new Set(['up']);
/** Metrics without a panel: tokens and cost of a language model. */
const NOT_SHOWN = new Set(['tickwire_llm_tokens_in_total', 'tickwire_llm_tokens_out_total', 'tickwire_llm_cost_total']);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
  readonly gridPos: { readonly x: number; readonly w: number };
}

const source = files('packages/server/src', (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map(read)
  .join('\n');
const known = new Set(
  [...source.matchAll(/\bmetrics\.(counter|gauge|histogram)\(\s*'(\w+)'/g)].flatMap(([, kind, name]) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!],
  ),
);
const rules = (yaml('deploy/prometheus/alerts.yaml')[0] as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const { panels } = JSON.parse(read('deploy/grafana/tickwire.json')) as { panels: Panel[] };
const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const metricsIn = (expr: string): string[] => expr.match(/\b(?:tickwire|process)_\w+|\bup\b/g) ?? [];

test('dashboard and alerts use only metrics of the service', () => {
  expect(known.size).toBeGreaterThan(40);
  const named = new Set([...shown, ...rules.map(({ expr }) => expr)].flatMap(metricsIn));
  expect([...named].filter((name) => !known.has(name) && !FOREIGN.has(name))).toEqual([]);
});

test('the dashboard shows every metric of the service', () => {
  const seen = new Set(shown.flatMap(metricsIn));
  const unseen = [...known].filter((name) => !seen.has(name) && !NOT_SHOWN.has(name) && !/_(sum|count)$/.test(name));
  expect(unseen).toEqual([]);
});

test('every metric is documented with its type and its help text', () => {
  const described = [...source.matchAll(/\bmetrics\.(counter|gauge|histogram)\(\s*'(\w+)',\s*'([^']+)'/g)].map(
    ([, kind, name, help]) => `| \`${name}\` | ${kind} | ${help} |`,
  );
  const documented = read('docs/reference/monitoring.md').match(/^\| `(?:tickwire|process)_\w+` \|.*$/gm) ?? [];
  expect([...documented].sort()).toEqual([...new Set(described)].sort());
});

test('every panel of the dashboard has a unique id, fits the width and has a query', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { type, title, targets, gridPos } of panels) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    expect((targets?.length ?? 0) > 0 || type === 'row', title).toBe(true);
  }
});

test('every alert has a unique name, a severity and a summary, and is documented', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  const document = read('docs/reference/monitoring.md');
  for (const { alert, labels, annotations } of rules) {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary.length).toBeGreaterThan(10);
    expect(document, alert).toContain(`\`${alert}\``);
  }
});

test('every alert is fired by a real fault in a test', () => {
  const faults = files('packages/server/testing/attacks', (name) => name.startsWith('alert-rules'))
    .map(read)
    .join('\n');
  expect(rules.map(({ alert }) => alert).filter((alert) => !faults.includes(`'${alert}'`))).toEqual([]);
});

test('Prometheus scrapes every process of the compose file with its role', () => {
  const { services } = yaml('deploy/compose.yaml')[0] as { services: Record<string, { command?: readonly string[] }> };
  const [{ scrape_configs: configs }] = yaml('deploy/prometheus/prometheus.yaml') as [
    { scrape_configs: { static_configs: { targets: string[]; labels: { role: string } }[] }[] },
  ];
  const scraped = configs.flatMap(({ static_configs: statics }) =>
    statics.flatMap(({ targets, labels }) => targets.map((target) => `${labels.role} ${target}`)),
  );
  const running = Object.entries(services).flatMap(([name, { command }]) =>
    command?.[1] === '--role' ? [`${command[2]} ${name}:9464`] : [],
  );
  expect(scraped.sort()).toEqual(running.sort());
});
