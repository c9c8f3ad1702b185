import { expect, test } from 'bun:test';
import { takesPress } from './chart-pointer.ts';

test('the lines of a ticket are taken before a drawing below them', () => {
  const asked: string[] = [];
  const part = (name: string, takes: boolean, onTop?: boolean) => ({
    ...(onTop !== undefined && { onTop }),
    press: () => asked.push(name) > 0 && takes,
  });
  const event = {} as MouseEvent;
  const point = { x: 0, y: 0, price: 1, time: 0 };
  expect(takesPress([part('drawing', true), part('ticket', true, true)], point, event)).toBe(true);
  expect(takesPress([part('drawing', false), part('ticket', false, true)], point, event)).toBe(false);
  expect(asked).toEqual(['ticket', 'ticket', 'drawing']);
});
