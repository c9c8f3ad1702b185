// The table in docs/alerts.md has an example of every kind of condition, as the service accepts it.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { AlertCondition } from './conditions.ts';

const PAGE = new URL('../../../../docs/alerts.md', import.meta.url);
const examples = [...readFileSync(PAGE, 'utf8').matchAll(/^\| .* \| `(\{"type":.*\})` \|$/gm)].map(([, text]) => text!);

test.each(examples)('%s is a condition', (text) => {
  const { error } = AlertCondition.safeParse(JSON.parse(text));
  expect(error?.message).toBeUndefined();
});

test('every kind has an example', () => {
  const shown = new Set(examples.map((text) => (JSON.parse(text) as { type: string }).type));
  const kinds = AlertCondition.options.map(({ shape }) => shape.type.value);
  expect([...shown].sort()).toEqual([...kinds].sort());
});
