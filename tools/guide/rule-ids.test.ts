// The rules of docs/reference/signals.md are cited by their ids, so an id names one rule.
import { expect, test } from 'bun:test';

test('no two rules of docs/reference/signals.md have the same id', async () => {
  const page = await Bun.file(new URL('../../docs/reference/signals.md', import.meta.url)).text();
  const ids = [...page.matchAll(/^\s*(?:-|\|) \*\*([A-Z]+\d+)\b/gm)].map(([, id]) => id!);
  expect(ids.length).toBeGreaterThan(100);
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
});
