import { describe, expect, test } from 'bun:test';
import { newsItemOf } from './news.fixture.ts';
import { MOST_ROWS, MOST_WAITING, NewsRows } from './news-rows.ts';

const ids = (items: readonly { readonly id: string }[]): string => items.map(({ id }) => id).join('');
const all = (): boolean => true;
const begun = (whole = false): NewsRows => {
  const rows = new NewsRows(all);
  rows.begin([newsItemOf('c', 3), newsItemOf('b', 2), newsItemOf('a', 1)], whole);
  return rows;
};

describe('what comes in', () => {
  test('takes its place by time while the reader is at the top', () => {
    const rows = begun();
    expect(rows.arrive(newsItemOf('d', 4), false)).toBe('shown');
    expect(rows.arrive(newsItemOf('x', 2), false)).toBe('shown');
    expect(ids(rows.rows)).toBe('dcxba');
  });

  test('waits while the reader is further down, and moves nothing until it is asked for', () => {
    const rows = begun();
    expect([rows.arrive(newsItemOf('d', 4), true), rows.arrive(newsItemOf('e', 5), true)]).toEqual(['waits', 'waits']);
    expect([ids(rows.rows), ids(rows.waiting)]).toEqual(['cba', 'ed']);
    rows.release();
    expect([ids(rows.rows), rows.waiting.length]).toEqual(['edcba', 0]);
  });

  test('a revision changes its item in place, shown or waiting, and an older state never comes back', () => {
    const rows = begun();
    expect(rows.arrive(newsItemOf('b', 2, { title: 'new', revision: 1 }), true)).toBe('changed');
    expect(rows.arrive(newsItemOf('b', 2, { title: 'old' }), true)).toBe('changed');
    expect([rows.rows[1]!.title, ids(rows.rows)]).toEqual(['new', 'cba']);
    rows.arrive(newsItemOf('d', 4), true);
    rows.arrive(newsItemOf('d', 4, { title: 'new', revision: 1 }), true);
    expect([rows.waiting.length, rows.waiting[0]!.title]).toEqual([1, 'new']);
  });

  test('one that belongs elsewhere, or comes with a page of its own, is left', () => {
    const rows = new NewsRows(({ category }) => category === 'gold');
    rows.begin([newsItemOf('b', 2), newsItemOf('a', 1, { category: 'gold' })], false);
    expect(rows.arrive(newsItemOf('c', 3), false)).toBe('none');
    expect(rows.arrive(newsItemOf('z', 0, { category: 'gold' }), false)).toBe('none');
    expect([ids(rows.rows), rows.cursor]).toEqual(['a', 'a']);
    expect(begun(true).arrive(newsItemOf('z', 0), false)).toBe('shown');
  });

  test('more than can wait are counted, for a new beginning', () => {
    const rows = begun();
    for (let n = 0; n < MOST_WAITING + 3; n++) rows.arrive(newsItemOf(`n${n}`, 10 + n), true);
    expect([rows.waiting.length, rows.missed]).toEqual([MOST_WAITING, 3]);
    rows.begin([newsItemOf('q', 9)], false);
    expect([rows.waiting.length, rows.missed]).toEqual([0, 0]);
  });
});

describe('older ones', () => {
  test('come behind the last that was asked for, once each, and end', () => {
    const rows = begun();
    expect(rows.cursor).toBe('a');
    rows.older([newsItemOf('a', 1), newsItemOf('9', 0), newsItemOf('8', 0)], true);
    expect([ids(rows.rows), rows.cursor, rows.ended]).toEqual(['cba98', '8', false]);
    rows.older([], false);
    expect([rows.cursor, rows.ended]).toEqual(['8', true]);
  });

  test('a full list lets go of its oldest, and asks for them again', () => {
    const rows = new NewsRows(all);
    rows.begin(
      Array.from({ length: MOST_ROWS }, (_, n) => newsItemOf(String(n), MOST_ROWS - n)),
      true,
    );
    expect([rows.full, rows.ended]).toEqual([true, true]);
    rows.arrive(newsItemOf('new', MOST_ROWS + 1), false);
    expect([rows.rows.length, rows.cursor, rows.ended]).toEqual([MOST_ROWS, String(MOST_ROWS - 2), false]);
  });

  test('who goes on behind the last keeps the place', () => {
    const rows = begun();
    rows.beginBehind();
    rows.older([newsItemOf('9', 0)], true);
    expect([ids(rows.rows), rows.cursor]).toEqual(['9', '9']);
  });
});
