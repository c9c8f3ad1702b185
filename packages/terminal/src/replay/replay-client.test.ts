import { expect, test } from 'bun:test';
import { replayClient } from './replay-client.ts';

test('names the session in every request, and reads its clock from the answers', async () => {
  const sent: (string | null)[] = [];
  const clocks: number[] = [];
  const client = replayClient({
    url: 'http://127.0.0.1:8080',
    id: 'rpl_1',
    onClock: (time) => clocks.push(time),
    fetch: async (_url, { headers }) => {
      sent.push(new Headers(headers).get('Replay'));
      const clock = sent.length === 1 ? { 'Replay-Clock': '2026-03-02T08:00:00.250Z' } : {};
      return Response.json({ items: [], count: 0 }, { headers: clock });
    },
  });
  await client.quotes();
  await client.symbols();
  expect([sent, clocks]).toEqual([['rpl_1', 'rpl_1'], [Date.parse('2026-03-02T08:00:00.250Z')]]);
});
