// The table of endpoints and scopes in docs/reference/accounts.md is current, and says what the service does.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ENDPOINTS, type Endpoint } from '@tickwire/contract';
import { SCOPES_PAGE, withScopes } from './scopes.ts';

const page = readFileSync(SCOPES_PAGE, 'utf8');

test('the table in docs/reference/accounts.md is what tools/guide/scopes.ts generates', () => {
  expect(withScopes(page)).toBe(page);
});

test('a table that is not current, or has a row too many, is replaced', () => {
  const row = '| `GET /api/symbols` | yes |  |  |  |  |  | yes |\n';
  expect(page).toContain(row);
  for (const changed of ['', row + row]) expect(withScopes(page.replace(row, changed))).toBe(page);
});

test('the scope read changes nothing but replay sessions', () => {
  const writes = Object.values<Endpoint>(ENDPOINTS).filter(({ method, scope }) => method !== 'GET' && scope === 'read');
  // The first sends a text to a model. Sessions are a clock to read by, and end when they are not used.
  const session = '/api/replays/{id}';
  expect(writes.map(({ path }) => path)).toEqual(['/api/ai/sentiment', '/api/replays', session, session]);
});
