import { beforeEach, expect, test } from 'bun:test';
import type { RecordStorage } from '../ui/stored-record.ts';
import {
  draftOf,
  EMPTY_DRAFT,
  hasContent,
  readDraft,
  startingDraft,
  storeDraft,
  withTargets,
} from './publish-draft.ts';

function memory(): RecordStorage {
  const kept = new Map<string, string>();
  return { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => void kept.set(name, value) };
}

let session: RecordStorage;
let local: RecordStorage;
beforeEach(() => {
  [session, local] = [memory(), memory()];
  local.setItem('tickwire.market', JSON.stringify({ symbol: 'XAUUSD', timeframe: '5m' }));
});

const typed = { targets: 2, values: { symbol: 'EURUSD', direction: 'sell', entry: '1.1', fraction_1: '60' } };

test('starts with the instrument in view, until something is typed', () => {
  expect(startingDraft('', session, local)).toEqual({ targets: 1, values: { symbol: 'XAUUSD' } });
  storeDraft({ targets: 1, values: { symbol: 'GBPUSD', direction: 'buy' } }, session);
  expect(startingDraft('', session, local).values.symbol).toBe('XAUUSD');
  storeDraft(typed, session);
  expect(startingDraft('', session, local)).toEqual(typed);
});

test('an address that names another instrument starts over', () => {
  storeDraft(typed, session);
  expect(startingDraft('?symbol=eurusd', session, local)).toEqual(typed);
  expect(startingDraft('?symbol=USDJPY&direction=sell', session, local)).toEqual({
    targets: 1,
    values: { symbol: 'USDJPY', direction: 'sell' },
  });
});

test('reads only what the form has', () => {
  session.setItem('tickwire.publish', JSON.stringify({ targets: 99, values: { entry: '1', other: 'x', note: 5 } }));
  expect(readDraft(session)).toEqual({ targets: 1, values: { entry: '1' } });
  session.setItem('tickwire.publish', 'nonsense');
  expect(readDraft(session)).toEqual(EMPTY_DRAFT);
});

test('is kept in memory if the browser stores nothing', () => {
  const full: RecordStorage = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  };
  storeDraft(typed, full);
  expect(readDraft(full)).toEqual(typed);
  storeDraft(EMPTY_DRAFT, session);
});

test('another number of targets drops the parts and the targets that are gone', () => {
  const three = {
    targets: 3,
    values: { entry: '1', target_1: '2', target_3: '4', fraction_1: '33', breakeven_after: '1' },
  };
  expect(withTargets(three, 2)).toEqual({ targets: 2, values: { entry: '1', target_1: '2' } });
});

test('takes levels from elsewhere, without the noise of binary fractions', () => {
  const draft = draftOf({ symbol: 'EURUSD', direction: 'buy', stop: 0.1 + 0.2, targets: [1.0850000000000002, 1.09] });
  expect(draft).toEqual({
    targets: 2,
    values: {
      ...{ symbol: 'EURUSD', direction: 'buy', order: 'market' },
      ...{ stop_loss: '0.3', target_1: '1.085', target_2: '1.09', fraction_1: '50', fraction_2: '50' },
    },
  });
  expect([hasContent(draft), hasContent(EMPTY_DRAFT)]).toEqual([true, false]);
});
