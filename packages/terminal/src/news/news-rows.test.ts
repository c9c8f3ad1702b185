import { describe, expect, test } from 'bun:test';
import { newsItemOf } from '../../testing/news.ts';
import { MAX_PENDING, MAX_ROWS, NewsRows } from './news-rows.ts';

const ids = (items: readonly { readonly id: string }[]): string => items.map(({ id }) => id).join('');
const all = (): boolean => true;
const startedRows = (complete = false): NewsRows => {
  const rows = new NewsRows(all);
  rows.reset([newsItemOf('c', 3), newsItemOf('b', 2), newsItemOf('a', 1)], complete);
  return rows;
};

describe('new headlines', () => {
  test('are inserted by time while the user is at the top', () => {
    const rows = startedRows();
    expect(rows.add(newsItemOf('d', 4), false)).toBe('added');
    expect(rows.add(newsItemOf('x', 2), false)).toBe('added');
    expect(ids(rows.rows)).toBe('dcxba');
  });

  test('are pending while the list is paused, and move nothing until they are shown', () => {
    const rows = startedRows();
    expect([rows.add(newsItemOf('d', 4), true), rows.add(newsItemOf('e', 5), true)]).toEqual(['pending', 'pending']);
    expect([ids(rows.rows), ids(rows.pending)]).toEqual(['cba', 'ed']);
    rows.showPending();
    expect([ids(rows.rows), rows.pending.length]).toEqual(['edcba', 0]);
  });

  test('a revision replaces its headline in place, shown or pending, and an older version never replaces a newer one', () => {
    const rows = startedRows();
    expect(rows.add(newsItemOf('b', 2, { title: 'new', revision: 1 }), true)).toBe('changed');
    expect(rows.add(newsItemOf('b', 2, { title: 'old' }), true)).toBe('changed');
    expect([rows.rows[1]!.title, ids(rows.rows)]).toEqual(['new', 'cba']);
    rows.add(newsItemOf('d', 4), true);
    rows.add(newsItemOf('d', 4, { title: 'new', revision: 1 }), true);
    expect([rows.pending.length, rows.pending[0]!.title]).toEqual([1, 'new']);
  });

  test('are ignored if they do not match, or if an older page contains them', () => {
    const rows = new NewsRows(({ category }) => category === 'gold');
    rows.reset([newsItemOf('b', 2), newsItemOf('a', 1, { category: 'gold' })], false);
    expect(rows.add(newsItemOf('c', 3), false)).toBe('ignored');
    expect(rows.add(newsItemOf('z', 0, { category: 'gold' }), false)).toBe('ignored');
    expect([ids(rows.rows), rows.cursor]).toEqual(['a', 'a']);
    expect(startedRows(true).add(newsItemOf('z', 0), false)).toBe('added');
  });

  test('beyond the limit are only counted, until a reset', () => {
    const rows = startedRows();
    for (let n = 0; n < MAX_PENDING + 3; n++) rows.add(newsItemOf(`n${n}`, 10 + n), true);
    expect([rows.pending.length, rows.dropped]).toEqual([MAX_PENDING, 3]);
    rows.reset([newsItemOf('q', 9)], false);
    expect([rows.pending.length, rows.dropped]).toEqual([0, 0]);
  });
});

describe('older headlines', () => {
  test('are appended once each until there are no more', () => {
    const rows = startedRows();
    expect(rows.cursor).toBe('a');
    rows.addOlder([newsItemOf('a', 1), newsItemOf('9', 0), newsItemOf('8', 0)], true);
    expect([ids(rows.rows), rows.cursor, rows.complete]).toEqual(['cba98', '8', false]);
    rows.addOlder([], false);
    expect([rows.cursor, rows.complete]).toEqual(['8', true]);
  });

  test('a full list drops its oldest row, which can be loaded again', () => {
    const rows = new NewsRows(all);
    rows.reset(
      Array.from({ length: MAX_ROWS }, (_, n) => newsItemOf(String(n), MAX_ROWS - n)),
      true,
    );
    expect([rows.full, rows.complete]).toEqual([true, true]);
    rows.add(newsItemOf('new', MAX_ROWS + 1), false);
    expect([rows.rows.length, rows.cursor, rows.complete]).toEqual([MAX_ROWS, String(MAX_ROWS - 2), false]);
  });

  test('a cleared list continues at its cursor', () => {
    const rows = startedRows();
    rows.clear();
    rows.addOlder([newsItemOf('9', 0)], true);
    expect([ids(rows.rows), rows.cursor]).toEqual(['9', '9']);
  });
});
