// Compares a run with the published one, whose sections `npm run bench:page` keeps in bench/published.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareRounds, labelOf } from '../compare/comparison.ts';
import type { Report, ReportSection } from '../results.ts';
import { formatFigure } from './check-target.ts';

const FILE = join(import.meta.dir, '../published.json');
/** A figure that is worse by more is named. */
const MAX_LOSS_PERCENT = 10;

export interface Published {
  readonly machine: string;
  /** Each as it was published last. */
  readonly sections: readonly Pick<ReportSection, 'title' | 'lines'>[];
}

export const readPublished = (file = FILE): Published | null =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Published) : null;

/** Sections of this run replace those of the same title, unless they are of another machine. */
export function writePublished({ machine, sections }: Report, file = FILE): void {
  const titles = new Set(sections.map(({ title }) => title));
  const before = readPublished(file);
  const kept = before?.machine === machine ? before.sections.filter(({ title }) => !titles.has(title)) : [];
  const all = [...kept, ...sections.map(({ title, lines }) => ({ title, lines }))];
  // A line for each section, so that a change shows which of them were measured again.
  const lines = all.map((section) => JSON.stringify(section)).join(',\n');
  writeFileSync(file, `{"machine":${JSON.stringify(machine)},"sections":[\n${lines}\n]}\n`);
}

/** What a run says about the published one, in lines. */
export function againstPublished({ machine, sections }: Report, published: Published | null): string[] {
  if (published === null) return ['No run was published with figures to compare with.'];
  if (published.machine !== machine)
    return [`Not compared with the published run, which is of another machine: ${published.machine}.`];
  const titles = new Set(sections.map(({ title }) => title));
  const other = published.sections.filter(({ title }) => titles.has(title));
  const { figures } = compareRounds([
    { present: sections, other: other.map((each) => ({ ...each, verdicts: [], notes: [] })) },
  ]);
  const worse = figures.filter(({ lossPercent }) => lossPercent > MAX_LOSS_PERCENT);
  return [
    `Of ${figures.length} figures, ${worse.length || 'none'} ${worse.length === 1 ? 'is' : 'are'} more than ${MAX_LOSS_PERCENT} % worse than in the published run.`,
    ...worse.map(
      (figure) =>
        `WORSE by ${Math.round(figure.lossPercent)} %: ${labelOf(figure)}: ${formatFigure(figure.present[0]!, figure.unit)} instead of ${formatFigure(figure.other[0]!, figure.unit)}`,
    ),
  ];
}
