// docs/mcp.md names exactly the tools, resources and prompts that there are, and its snippets are valid.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { toolsOf } from './mcp-server.ts';
import { ANSWER_TOKENS, TOOL_LIST_TOKENS } from './tokens.ts';

const text = readFileSync(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8');

test('docs/mcp.md lists every tool in a table, and no other', () => {
  const [, tools] = text.split(/^## Tools$/m);
  const listed = [...tools!.split(/^### /m)[0]!.matchAll(/^\| `(\w+_\w+)` \| .* \| .* \|$/gm)].map(([, name]) => name);
  const named = new Set(toolsOf(new Set(['publish'])).map(({ name }) => name));
  expect(listed.filter((name) => named.has(name!))).toEqual([...named]);
});

test('docs/mcp.md states the budgets', () => {
  for (const budget of [ANSWER_TOKENS, TOOL_LIST_TOKENS])
    expect(text).toContain(`at most ${budget.toLocaleString('en')}`);
});

test('the configurations in docs/mcp.md are JSON', () => {
  const snippets = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json]) => JSON.parse(json!) as object);
  expect(snippets).toHaveLength(3);
  for (const snippet of snippets) expect(JSON.stringify(snippet)).toContain('tickwire');
});
