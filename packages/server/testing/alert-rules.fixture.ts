// Evaluates the alert rules of Prometheus on what services showed before and after a fault: promtool reads scrapes as series of
// which each lasts some minutes.
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from './service.fixture.ts';
import { reportSkipped } from './skipped.fixture.ts';

const RULES = resolve(import.meta.dir, '../../../deploy/prometheus/alerts.yaml');

/** Minutes for which a scrape stands. */
export const MINUTES = 4;
const SCRAPES_PER_MINUTE = 4;
const SAMPLES = MINUTES * SCRAPES_PER_MINUTE;
/** Of histograms that no rule reads, buckets would only take time. */
const IGNORED = /^(?!tickwire_http_seconds).*_bucket$/;

export const hasPromtool = Bun.which('promtool') !== null;
if (!hasPromtool) reportSkipped('alert rules', 'promtool (package prometheus) is not installed');

/** Counts from the first scrape on: this process has run other tests before. */
const MEMORY = 'process_resident_memory_bytes';

/** A process that is scraped. `null`: it does not answer. */
export interface Target {
  /** The label that the scrape gives it. `null`: none, which is enough for a single process. */
  readonly role: 'ingest' | 'gateway' | 'all' | null;
  readonly instance: string;
  readonly text: string | null;
}
/** What all processes show at a time. A text is that of a single process. */
export type Scrape = string | null | readonly Target[];

const targetsOf = (scrape: Scrape): readonly Target[] =>
  typeof scrape === 'string' || scrape === null ? [{ role: 'all', instance: 'it', text: scrape }] : scrape;

/**
 * Compares the alerts that fire `MINUTES` minutes after each of the scrapes, which follow each other, with those that should.
 * `core`: the part of a core that the processes use from the second scrape on; theirs does not change otherwise.
 */
export async function alertsOf(
  scrapes: readonly Scrape[],
  wanted: readonly (readonly string[])[],
  core?: number,
): Promise<string> {
  const values = new Map<string, (string | null)[]>();
  const held = new Map<string, number>();
  for (const [at, scrape] of scrapes.entries())
    for (const { role, instance, text } of targetsOf(scrape))
      for (const line of (text === null ? 'up 0' : `${text}up 1\n`).split('\n')) {
        const [, name, labels = '', value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
        if (name === undefined || IGNORED.test(name)) continue;
        const common = `job="tickwire",${role === null ? '' : `role="${role}",`}instance="${instance}"`;
        const series = `${name}{${[labels, common].filter(Boolean).join(',')}}`;
        const all = values.get(series) ?? scrapes.map(() => null);
        if (name === MEMORY) held.set(series, held.get(series) ?? Number(value));
        all[at] = name === MEMORY ? String(Math.max(0, Number(value) - held.get(series)!)) : value!;
        values.set(series, all);
      }
  const repeated = (value: string | null): string => (value === null ? `_x${SAMPLES}` : `${value}+0x${SAMPLES - 1}`);
  const used = `0+0x${SAMPLES - 1} 0+${(core ?? 0) * (60 / SCRAPES_PER_MINUTE)}x${SAMPLES * (scrapes.length - 1)}`;
  const valuesOf = (series: string, each: readonly (string | null)[]): string =>
    core !== undefined && series.startsWith('process_cpu_seconds_total{') ? used : each.map(repeated).join(' ');
  const rules = {
    rule_files: [RULES],
    evaluation_interval: '15s',
    tests: [
      {
        interval: `${60 / SCRAPES_PER_MINUTE}s`,
        input_series: [...values].map(([series, each]) => ({ series, values: valuesOf(series, each) })),
        promql_expr_test: wanted.map((names, at) => ({
          expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: `${(at + 1) * MINUTES * 60 - 20}s`,
          exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
        })),
      },
    ],
  };
  const folder = temporaryFolder();
  const file = join(folder, 'rules.json');
  writeFileSync(file, JSON.stringify(rules));
  const child = Bun.spawn(['promtool', 'test', 'rules', file], { stdout: 'pipe', stderr: 'pipe' });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  rmSync(folder, { recursive: true });
  return (await child.exited) === 0 ? 'as wanted' : out + err;
}

export const scrapeOf = async (url: string | null): Promise<string> => (await fetch(`${url}/metrics`)).text();
