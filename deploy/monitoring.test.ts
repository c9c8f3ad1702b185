// Dashboard and alerts name metrics that the service has, and each metric is looked at somewhere.
import { expect, test } from 'bun:test';
import { files, read, yaml } from './read.fixture.ts';

/** Prometheus's own, or made by its scrape. */
const FOREIGN = new Set(['up']);
/** Of no use on a picture: what they count is money or words, by whoever configured a model. */
const UNSEEN = new Set(['tickwire_llm_tokens_in_total', 'tickwire_llm_tokens_out_total', 'tickwire_llm_cost_total']);

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

test('every metric of the dashboard and of the alerts is one of the service', () => {
  expect(known.size).toBeGreaterThan(40);
  const named = new Set([...shown, ...rules.map(({ expr }) => expr)].flatMap(metricsIn));
  expect([...named].filter((name) => !known.has(name) && !FOREIGN.has(name))).toEqual([]);
});

test('every metric of the service is on the dashboard', () => {
  const seen = new Set(shown.flatMap(metricsIn));
  const unseen = [...known].filter((name) => !seen.has(name) && !UNSEEN.has(name) && !/_(sum|count)$/.test(name));
  expect(unseen).toEqual([]);
});

test('the dashboard has one panel per number, each within the width of the page, each with something to show', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { type, title, targets, gridPos } of panels) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    expect((targets?.length ?? 0) > 0 || type === 'row', title).toBe(true);
  }
});

test('every alert has a name of its own, a severity, a sentence, and a place in the document', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  const document = read('docs/operating.md');
  for (const { alert, labels, annotations } of rules) {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary.length).toBeGreaterThan(10);
    expect(document, alert).toContain(`\`${alert}\``);
  }
});

test('Prometheus scrapes every process of the compose file, by the role it has', () => {
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
