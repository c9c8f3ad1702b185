import { expect, test } from 'bun:test';
import { LINE_COLORS } from '../layers/line-colors.ts';
import { drawLabel } from './drawing-label.ts';
import { dashesOf } from './drawing-layer.ts';

test('a label has a ground below all of its lines', () => {
  const drawn: unknown[] = [];
  const context = {
    ...{ font: '', textAlign: 'left' as const, textBaseline: 'middle' as const, fillStyle: '' },
    measureText: (text: string) => ({ width: 6 * text.length }) as TextMetrics,
    fillRect: (...box: readonly number[]) => drawn.push([context.fillStyle, ...box.map(Math.round)]),
    fillText: (text: string) => drawn.push([context.fillStyle, text]),
  };
  const colors = {
    ...LINE_COLORS,
    panel: '#101010',
    text: '#ffffff',
    muted: '',
    up: '',
    down: '',
    accent: '',
    notice: '',
  };
  const label = { at: { x: 100, y: 50 }, lines: ['+1.00', '3 bars'], color: 'text', size: 10 } as const;
  drawLabel(context, { ...label, side: 'below', align: 'center' }, { ...colors, fontFamily: 'sans' });
  expect(drawn).toEqual([
    ['#101010d9', 79, 52, 42, 26],
    ['#ffffff', '+1.00'],
    ['#ffffff', '3 bars'],
  ]);
});

test('dashes and dots grow with the width of the line', () => {
  expect([dashesOf('solid', 1), dashesOf('dashed', 1), dashesOf('dotted', 1)]).toEqual([[], [4, 4], [1, 3]]);
  expect([dashesOf('dashed', 4), dashesOf('dotted', 4)]).toEqual([
    [7, 7],
    [4, 6],
  ]);
});
