import { expect, test } from 'bun:test';
import { TIERS } from '@tickwire/contract';
import { limitFacts } from './limit-facts.ts';

test('every limit of a tier is shown', () => {
  const numbered = Object.fromEntries(Object.keys(TIERS.free).map((name, at) => [name, 901 + at]));
  const text = limitFacts(numbered as unknown as typeof TIERS.free).join('; ');
  for (const limit of Object.values(numbered)) expect(text).toContain(`${limit}`);
});

test('a delay is named only where there is one', () => {
  expect(limitFacts(TIERS.free).join()).not.toContain('late');
});
