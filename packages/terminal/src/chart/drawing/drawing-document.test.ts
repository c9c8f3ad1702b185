import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { COLORS, type Drawing, KINDS, MAX_TEXT } from './drawing.ts';
import { type DrawingDocument, EMPTY, merged, parseDocument, parseDrawing, serialise } from './drawing-document.ts';

const NOW = Date.UTC(2026, 5, 1);
const line: Drawing = {
  id: 'a1',
  kind: 'line',
  points: [
    { time: NOW, price: 1.1 },
    { time: NOW + 1, price: 1.2 },
  ],
  color: 'notice',
  width: 3,
  style: 'dotted',
  text: '',
  changed: NOW - 10,
};

/** As it is stored. */
const stored = {
  ...line,
  points: [
    [NOW, 1.1],
    [NOW + 1, 1.2],
  ],
};

describe('a stored document', () => {
  test('survives writing and reading', () => {
    const document: DrawingDocument = { drawings: [line], deleted: [{ id: 'b', changed: NOW - 5 }] };
    expect(parseDocument(JSON.parse(JSON.stringify(serialise(document, NOW))), NOW)).toEqual(document);
  });

  test.each<[string, object]>([
    ['another kind', { kind: 'spiral' }],
    ['a kind of the prototype', { kind: 'constructor' }],
    ['no id', { id: undefined }],
    ['an id with markup', { id: '<b>' }],
    ['too few points', { points: [stored.points[0]] }],
    ['too many points', { points: [...stored.points, ...stored.points] }],
    ['points that are no list', { points: 'ab' }],
    ['a price that is not finite', { points: [[1, null], stored.points[1]] }],
    ['a price as text', { points: [[1, '1'], stored.points[1]] }],
    ['a time beyond the calendar', { points: [[1e300, 1], stored.points[1]] }],
    ['a text without any', { kind: 'text', points: [stored.points[0]], text: '  ' }],
  ])('skips a drawing with %s', (_what, change) => {
    expect(parseDocument({ drawings: [{ ...stored, ...change }, stored] }, NOW).drawings).toEqual([line]);
  });

  test.each<[string, object, Partial<Drawing>]>([
    ['colour', { color: 'url(x)' }, { color: 'accent' }],
    ['width', { width: 99 }, { width: 2 }],
    ['line style', { style: 'wavy' }, { style: 'solid' }],
    ['text of a line', { text: 'hello' }, { text: '' }],
    ['time of change, missing', { changed: 'soon' }, { changed: 0 }],
    ['time of change, in the far future', { changed: NOW * 2 }, { changed: NOW + 300_000 }],
    ['unknown field', { onload: 'x' }, {}],
  ])('replaces an invalid %s', (_what, change, expected) => {
    expect(parseDrawing({ ...stored, ...change }, NOW)).toEqual({ ...line, ...expected });
  });

  test('cuts long text', () => {
    const text = parseDrawing({ ...stored, kind: 'text', points: [stored.points[0]], text: 'x'.repeat(9_999) }, NOW);
    expect(text?.text).toHaveLength(MAX_TEXT);
  });

  test('puts stop and target of a position on both sides of the entry', () => {
    const points = [5, 4, 3].map((price) => [1, price]);
    expect(parseDrawing({ ...stored, kind: 'position', points }, NOW)?.points.map(({ price }) => price)).toEqual([
      5, 4, 7,
    ]);
  });

  test('never breaks the chart, whatever it contains', () => {
    fc.assert(
      fc.property(fc.anything(), fc.array(fc.anything()), (whole, drawings) => {
        for (const { kind, color, points } of [
          ...parseDocument(whole, NOW).drawings,
          ...parseDocument({ drawings, deleted: drawings }, NOW).drawings,
        ]) {
          expect(KINDS).toContain(kind);
          expect(COLORS).toContain(color);
          for (const { time, price } of points) expect(Number.isFinite(time + price)).toBe(true);
        }
      }),
    );
  });

  test('is bounded', () => {
    const drawings = Array.from({ length: 5_000 }, (_, at) => ({ ...stored, id: `d${at}` }));
    expect(parseDocument({ drawings }, NOW).drawings).toHaveLength(400);
    const deleted = Array.from({ length: 500 }, (_, at) => ({ id: `d${at}`, changed: NOW - at }));
    expect((serialise({ drawings: [], deleted }, NOW) as { deleted: unknown[] }).deleted).toHaveLength(100);
  });

  test('forgets deletions after two months', () => {
    const deleted = [{ id: 'x', changed: NOW - 61 * 86_400_000 }];
    expect(serialise({ drawings: [], deleted }, NOW)).toMatchObject({ deleted: [] });
  });
});

describe('two versions', () => {
  const at = (id: string, changed: number, price = 1): Drawing => ({
    ...line,
    id,
    kind: 'horizontal',
    points: [{ time: 1, price }],
    changed,
  });
  const version = fc.record({
    drawings: fc.array(
      fc
        .record({ id: fc.constantFrom('a', 'b', 'c'), changed: fc.nat(4), price: fc.nat(3) })
        .map((each) => at(each.id, each.changed, each.price)),
    ),
    deleted: fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c'), changed: fc.nat(4) })),
  });
  const sorted = ({ drawings, deleted }: DrawingDocument) => ({
    drawings: drawings.toSorted((one, other) => one.id.localeCompare(other.id)),
    deleted: deleted.toSorted((one, other) => one.id.localeCompare(other.id)),
  });

  test('keep the drawings of both', () => {
    const both = merged({ drawings: [at('a', 1)], deleted: [] }, { drawings: [at('b', 1)], deleted: [] });
    expect(both.drawings.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('keep the last change of one drawing', () => {
    const both = merged({ drawings: [at('a', 5, 7)], deleted: [] }, { drawings: [at('a', 9, 8)], deleted: [] });
    expect(both.drawings).toEqual([at('a', 9, 8)]);
  });

  test('a deletion stays, unless the drawing was changed after it', () => {
    const deletion = { drawings: [], deleted: [{ id: 'a', changed: 5 }] };
    expect(merged({ drawings: [at('a', 4)], deleted: [] }, deletion).drawings).toEqual([]);
    expect(merged(deletion, { drawings: [at('a', 6)], deleted: [] })).toEqual({ drawings: [at('a', 6)], deleted: [] });
  });

  test('become the same on both devices, in whatever order they meet', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(sorted(merged(a, b))).toEqual(sorted(merged(b, a)));
        expect(sorted(merged(merged(a, b), c))).toEqual(sorted(merged(a, merged(b, c))));
        const once = merged(a, EMPTY);
        expect(sorted(merged(once, a))).toEqual(sorted(once));
      }),
    );
  });
});
