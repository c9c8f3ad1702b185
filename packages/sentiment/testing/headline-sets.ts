// Labelled headlines: our own, and others that are stored next to the repository, with the splits of training/prep.py. A clone does
// not have the latter; the tests that need them are then skipped with a message.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Label } from '../src/labels.ts';
import { OTHER } from '../src/markers.ts';
import { normalise } from '../src/normalise.ts';

const FOLDER = resolve(import.meta.dir, '../../../../shared/data/headlines');

export interface Labelled {
  readonly text: string;
  readonly label: Label;
}

/** A headline with a label for each asset that it names. */
interface Annotated {
  readonly text: string;
  readonly assets: readonly { readonly name: string; readonly label: Label }[];
}

/** Whether the headlines are missing; prints why the tests are skipped. */
export function headlinesMissing(): boolean {
  if (existsSync(FOLDER)) return false;
  console.warn('SKIPPED: tests on labelled headlines: the headlines are not part of the repository');
  return true;
}

/** Rows of a CSV file, keyed by its header. Quoted fields may contain commas, quotes and line breaks. */
function readCsv(path: string, folder = FOLDER): Record<string, string>[] {
  const text = readFileSync(join(folder, path), 'utf8').replace(/^\ufeff/, '');
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end !== ',') rows.push([]);
  }
  const [header, ...body] = rows.filter((row) => row.length > 1);
  return body.map((row) => Object.fromEntries(header!.map((name, i) => [name, row[i] ?? ''])));
}

const OWN: Readonly<Record<string, Label>> = { bearish: 'negative', neutral: 'neutral', bullish: 'positive' };
/** Headlines of our own, which are part of the repository: `training`, `development` or `blind`. */
export const ownHeadlines = (half: string): (Labelled & { readonly category: string })[] =>
  readCsv(`${half}.csv`, resolve(import.meta.dir, '../../../training/own-headlines')).map((row) => ({
    text: row.text!,
    label: OWN[row.label!]!,
    category: row.category!,
  }));

const TWITTER: Readonly<Record<string, Label>> = { 0: 'negative', 1: 'positive', 2: 'neutral' };
const readTwitter = (file: string): Labelled[] =>
  readCsv(`twitter/${file}`).map((row) => ({ text: row.text!, label: TWITTER[row.label!]! }));

export const twitterValidation = (): Labelled[] => readTwitter('sent_valid.csv');

export const forexTraining = (): (Labelled & { readonly pair: string })[] =>
  readCsv('forex/forex_headlines_excerpt_dev.csv').map((row) => ({
    text: row.title!,
    pair: row.ticker!,
    label: row.true_sentiment!.toLowerCase() as Label,
  }));

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Key of a headline, equal for headlines that differ only in punctuation. */
const keyOf = (text: string): string =>
  normalise(text)
    .replaceAll(OTHER, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** The column Decisions is a Python dictionary with unescaped apostrophes. */
function readDecisions(text: string): Annotated['assets'] {
  const pattern = /['"]([^{}]*?)['"]\s*:\s*['"](positive|negative|neutral)['"]/g;
  return [...text.matchAll(pattern)].map(([, name, label]) => ({
    name: name!.replace(/^[,\s'"]+/, ''),
    label: label as Label,
  }));
}

type SentfinSplit = 'test' | 'development';

/** The SEntFiN split: 15 % test, the next 8.5 % development, the rest training. */
function sentfinGroups(): Record<SentfinSplit, Annotated[][]> {
  const groups = new Map<string, Annotated[]>();
  for (const row of readCsv('sentfin/SEntFiN.csv')) {
    const key = keyOf(row.Title!);
    const annotated = { text: row.Title!, assets: readDecisions(row.Decisions!) };
    groups.set(key, [...(groups.get(key) ?? []), annotated]);
  }
  const keys = [...groups.keys()].map((key) => ({ key, order: md5(`v1${key}`) }));
  keys.sort((a, b) => (a.order < b.order ? -1 : 1));
  const testEnd = Math.round(0.15 * keys.length);
  const developmentEnd = testEnd + Math.round(0.085 * keys.length);
  const take = (from: number, to: number): Annotated[][] => keys.slice(from, to).map(({ key }) => groups.get(key)!);
  return { test: take(0, testEnd), development: take(testEnd, developmentEnd) };
}

/** The label of a headline; `undefined` if its assets have opposite labels. */
function headlineLabel(assets: Annotated['assets']): Label | undefined {
  const labels = new Set(assets.map(({ label }) => label));
  if (labels.has('positive') && labels.has('negative')) return undefined;
  if (labels.has('positive')) return 'positive';
  return labels.has('negative') ? 'negative' : 'neutral';
}

const asHeadlines = (groups: Annotated[][]): Labelled[] =>
  groups.flatMap((group) => {
    const label = headlineLabel(group.flatMap(({ assets }) => assets));
    return label === undefined ? [] : [{ text: group[0]!.text, label }];
  });

export const sentfinTest = (): Labelled[] => asHeadlines(sentfinGroups().test);

/** Each asset of each headline of a split, with the other assets of the headline. */
export const sentfinAssets = (
  split: SentfinSplit,
): (Labelled & { readonly name: string; readonly others: string[] })[] =>
  sentfinGroups()[split].flatMap((group) => {
    const { text, assets } = group[0]!;
    return assets.map(({ name, label }, i) => ({
      text,
      label,
      name,
      others: assets.filter((_, other) => other !== i).map((asset) => asset.name),
    }));
  });
