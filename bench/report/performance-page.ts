// Writes the tables and charts of the last run into the pages of docs: performance-page.ts [REPORT] [--anyway]. REPORT is
// bench/results/latest.json by default. Only the marked blocks of the scenarios that ran change. A disturbed comparison with
// brokers is refused without --anyway. Later runs are compared with the figures of this one (published.ts).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Report } from '../results.ts';
import {
  brokersCharts,
  brokersTables,
  brokersTargets,
  disturbedNotes,
  hasBrokers,
  memoryTable,
  otherTargets,
  runSummary,
} from './performance-blocks.ts';
import { writePublished } from './published.ts';

const ROOT = join(import.meta.dir, '../..');
export const PAGES = ['docs/performance.md', 'docs/reference/broker-figures.md'].map((path) => join(ROOT, path));
const PICTURES = join(ROOT, 'docs/pictures');

/** Replaces what is between `<!-- NAME -->` and the next `<!-- end -->`. */
export function replaceBlock(page: string, name: string, content: string): string {
  const start = `<!-- ${name} -->\n`;
  const from = page.indexOf(start);
  const to = page.indexOf('<!-- end -->', from);
  if (from < 0 || to < 0) throw new Error(`the page has no block ${name}`);
  return `${page.slice(0, from + start.length)}\n${content.trim()}\n\n${page.slice(to)}`;
}

function main(): void {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { anyway: { type: 'boolean' } } });
  const file = positionals[0] ?? join(import.meta.dir, '../results/latest.json');
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const disturbed = disturbedNotes(report);
  if (disturbed.length > 0 && !values.anyway)
    throw new Error(`the run was disturbed: repeat it, or write it with --anyway\n${disturbed.join('\n')}`);
  const charts = brokersCharts(report);
  mkdirSync(PICTURES, { recursive: true });
  for (const { name, svg } of charts) writeFileSync(join(PICTURES, name), svg);
  const brokers: [name: string, content: string | null][] = [
    ['machine', runSummary(report)],
    ['table: targets', brokersTargets(report)],
    ['table: brokers', brokersTables(report)],
    ['charts: brokers', charts.map(({ title, name }) => `![${title}](pictures/${name})`).join('\n\n')],
  ];
  const others: [name: string, content: string | null][] = [
    ['machine: other targets', otherTargets(report) && runSummary(report)],
    ['table: other targets', otherTargets(report)],
    ['table: memory', memoryTable(report)],
  ];
  const blocks = [...(hasBrokers(report) ? brokers : []), ...others];
  const texts = PAGES.map((path) => readFileSync(path, 'utf8'));
  for (const [name, content] of blocks) {
    // A block that is nowhere is missed on the first page.
    const at = Math.max(
      0,
      texts.findIndex((text) => text.includes(`<!-- ${name} -->`)),
    );
    if (content !== null) texts[at] = replaceBlock(texts[at]!, name, content);
  }
  for (const [at, path] of PAGES.entries()) writeFileSync(path, texts[at]!);
  writePublished(report);
  console.log(`written: ${PAGES.length} pages of docs and ${charts.length} charts in docs/pictures`);
}

if (import.meta.main) {
  try {
    main();
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
