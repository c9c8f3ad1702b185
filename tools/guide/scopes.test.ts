// The table of endpoints and scopes in docs/accounts.md is current, and says what the service does.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ENDPOINTS, type Endpoint } from '@tickwire/contract';
import { SCOPES_PAGE, withScopes } from './scopes.ts';

const page = readFileSync(SCOPES_PAGE, 'utf8');

test('the table in docs/accounts.md is what tools/guide/scopes.ts generates', () => {
  expect(withScopes(page)).toBe(page);
});

test('a table that is not current, or has a row too many, is replaced', () => {
  const row = '| `GET /api/symbols` | yes |  |  |  |  |  | yes |\n';
  expect(page).toContain(row);
  for (const changed of ['', row + row]) expect(withScopes(page.replace(row, changed))).toBe(page);
});

test('the scope read changes nothing', () => {
  const writes = Object.values<Endpoint>(ENDPOINTS).filter(({ method, scope }) => method !== 'GET' && scope === 'read');
  // It sends a text to a model, and stores nothing.
  expect(writes.map(({ path }) => path)).toEqual(['/api/ai/sentiment']);
});
