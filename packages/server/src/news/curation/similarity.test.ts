import { describe, expect, test } from 'bun:test';
import { type Edit, editsOf, entitiesOf } from '../../../testing/news/headline-edits.fixture.ts';
import { readHeadlineRows } from '../../../testing/news/headlines.fixture.ts';
import { recordingSets } from '../../../testing/shared-data.fixture.ts';
import { plainText } from '../../documents/plain-text.ts';
import { isRevision, isSameNews } from './similarity.ts';
import { titleFeatures } from './title-features.ts';

const same = (one: string, other: string): boolean => isSameNews(titleFeatures(one), titleFeatures(other));
const revised = (one: string, other: string): boolean => isRevision(titleFeatures(one), titleFeatures(other));

describe('similarity of titles', () => {
  test.each([
    [
      'Gold slips as dollar firms ahead of Fed minutes',
      'UPDATE 1-Gold slips as dollar firms ahead of Fed minutes - Reuters',
    ],
    ['Gold slips as dollar firms ahead of Fed minutes', 'Ahead of Fed minutes, gold dips as dollar firms'],
    ['Bank of England raises rates to 4.5%', 'Bank of England raises interest rates to 4.5%'],
    ['ECB holds rates', 'ECB holds rates.'],
  ])('%p and %p are the same news', (one, other) => {
    expect(same(one, other)).toBe(true);
    expect(same(other, one)).toBe(true);
  });

  test.each([
    ['Gold slips as dollar firms ahead of Fed minutes', 'Gold firms as dollar slips ahead of Fed minutes'],
    ['Fed raises rates by 25 basis points', 'Fed raises rates by 50 basis points'],
    ['Copper futures fall on weak global cues', 'Nickel futures fall on weak global cues'],
    ['Broker sees buy signal in euro after long slide', 'Broker sees sell signal in euro after long slide'],
    ['ECB holds rates', 'SNB holds rates'],
  ])('%p and %p are not the same news', (one, other) => {
    expect(same(one, other)).toBe(false);
    expect(same(other, one)).toBe(false);
  });

  test('other figures or words are a revision, the opposite direction or another subject is not', () => {
    expect(revised('Oil settles up 1.2% after storage data', 'Oil settles up 1.4% after storage data')).toBe(true);
    expect(revised('Oil settles up 1.2% after storage data', 'Oil settles down 1.2% after storage data')).toBe(false);
    expect(revised('Abbott Q2 net rises 41% to Rs 64 crore', 'Ultra Q2 net rises 55% to Rs 410 crore')).toBe(false);
  });

  test.each(recordingSets('headlines/sentfin'))(
    'reaches the required precision and recall on edited real headlines, %s set',
    (_set, path) => {
      // By kind of edit: the number of edits, and how many were taken for the same news.
      const counts = new Map<Edit['kind'], { same: boolean; all: number; found: number }>();
      // The thresholds were tuned on the even rows; the rules were written after looking at likely pairs of all rows.
      const rows = readHeadlineRows(path('headlines/sentfin/SEntFiN.csv')).filter((_, at) => at % 2 === 1);
      const titles = rows.map((row) => plainText(row.Title!));
      const entities = rows.map((row) => entitiesOf(row.Decisions!));
      for (const [at, title] of titles.entries()) {
        for (const { kind, title: edited, same: expected } of editsOf(
          title,
          entities[at]!,
          entities[(at + 37) % rows.length]!,
        )) {
          const count = counts.get(kind) ?? { same: expected, all: 0, found: 0 };
          count.all++;
          if (same(title, edited)) count.found++;
          counts.set(kind, count);
        }
      }
      let hits = 0;
      let positives = 0;
      let wrong = 0;
      let negatives = 0;
      for (const [kind, { same: expected, all, found }] of counts) {
        console.log(`${expected ? 'same' : 'other'} · ${kind}: ${found} of ${all} taken for the same news`);
        if (expected) {
          hits += found;
          positives += all;
        } else {
          wrong += found;
          negatives += all;
        }
      }
      const precision = hits / (hits + wrong);
      const recall = hits / positives;
      console.log(
        `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)} (${positives} same, ${negatives} other)`,
      );
      expect(precision).toBeGreaterThan(0.97);
      expect(recall).toBeGreaterThan(0.85);
    },
  );
});
