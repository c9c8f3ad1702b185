import { expect, test } from 'bun:test';
import { ReservedSources } from './reserved-sources.ts';

const reserved = new ReservedSources(['Central Bank News', 'Ökonomie']);

test.each([
  'Central Bank News',
  'central  bank news ',
  'Ｃentral Bank News',
  'Сentral Bank News',
  'Centra1 Bank News',
  'Central Bаnk Nеws',
  'Central\u200b Bank News',
  '<b>Central</b> Bank News',
  'O\u0308konomie',
  'Simulated Wire',
  'Sirnulated Wire',
])('%j looks like the name of a configured source', (name) => {
  expect(reserved.has(name)).toBe(true);
});

test.each(['Central Bank', 'Central Bank News 2', 'My Desk', 'ada'])('%j does not', (name) => {
  expect(reserved.has(name)).toBe(false);
});
