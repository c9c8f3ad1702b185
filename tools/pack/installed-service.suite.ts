// What every installation must be able to do without the repository: all that reads a file, starts a worker thread or loads a part
// of the code on demand.
import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestAgent } from '../../packages/server/testing/mcp.fixture.ts';
import type { InstalledService } from './installed.fixture.ts';

const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>Desk</title><item><title>Gold jumps to a record as yields fall</title>
<link>https://desk.example/gold</link><guid>gold-1</guid><pubDate>${new Date().toUTCString()}</pubDate></item></channel></rss>`;
const CALENDAR = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//desk//EN\r\nBEGIN:VEVENT\r\nUID:rates-1\r\nDTSTAMP:20260101T000000Z\r
DTSTART:${new Date(Date.now() + 86_400_000).toISOString().replaceAll(/[-:]|\.\d+/g, '')}\r\nSUMMARY:Desk rate decision\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;

/** Settings with a feed and a calendar, which worker threads parse. The files are in the folder of the service. */
export function withSources(folder: string): { readonly settings: Record<string, string>; readonly stop: () => void } {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(FEED, { headers: { 'Content-Type': 'application/rss+xml' } }),
  });
  writeFileSync(join(folder, 'desk.ics'), CALENDAR);
  writeFileSync(join(folder, 'news.json'), JSON.stringify({ sources: [{ name: 'Desk', url: server.url.href }] }));
  const source = { name: 'Desk', file: 'desk.ics', format: 'ical', country: 'US' };
  writeFileSync(join(folder, 'calendar.json'), JSON.stringify({ sources: [source] }));
  return {
    settings: { TICKWIRE_NEWS: 'news.json', TICKWIRE_CALENDAR: 'calendar.json', TICKWIRE_PUBLIC_RECORDS: 'on' },
    stop: () => server.stop(true),
  };
}

async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await Bun.sleep(100)) {
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not arrive`);
}

/** `service` was started with the settings of `withSources`. */
export function installedServiceTests(service: () => InstalledService): void {
  const json = async (path: string, init?: RequestInit) => {
    const response = await service().get(path, init);
    expect([path, response.status]).toEqual([path, 200]);
    return response.json();
  };

  describe('an installed service', () => {
    test('answers with a quote', async () => {
      expect(await json('/api/market/EURUSD/quote')).toMatchObject({ symbol: 'EURUSD', bid: expect.any(Number) });
    });

    test('serves the guide, its Markdown and its search index', async () => {
      const response = await service().get('/guide/streaming');
      const html = await response.text();
      expect([response.status, html]).toEqual([200, expect.stringContaining('<h1 id="')]);
      const scripts = [...html.matchAll(/(?:src|href)="(\/guide\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path!);
      expect(scripts.length).toBeGreaterThan(3);
      for (const path of scripts) expect([path, (await service().get(path)).status]).toEqual([path, 200]);
      expect(await (await service().get('/guide/streaming.md')).text()).toStartWith('# ');
      expect((await service().get('/guide/nothing')).status).toBe(404);
    });

    test('serves the terminal with its scripts, font, icons and service worker', async () => {
      const html = await (await service().get('/markets/EURUSD/5m')).text();
      const linked = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|woff2|webmanifest|png))"/g)].map(
        ([, path]) => path!,
      );
      expect(linked.length).toBeGreaterThan(5);
      for (const path of [...linked, '/push-worker.js', '/icons/icon-512.png']) {
        const response = await service().get(path);
        expect([path, response.status, (await response.bytes()).length > 100]).toEqual([path, 200, true]);
      }
    });

    test('serves the reference and the API documents', async () => {
      // Long paths may break at a slash.
      const reference = (await (await service().get('/docs')).text()).replaceAll('<wbr>', '');
      expect(reference).toContain('/api/market/{symbol}');
      expect(await json('/openapi.json')).toMatchObject({ openapi: '3.1.0' });
      expect(await json('/asyncapi.json')).toMatchObject({ asyncapi: '3.0.0' });
    });

    test('serves the public page of a publisher, with its script', async () => {
      const { ask } = (await json('/api/market/EURUSD/quote')) as { ask: number };
      const price = (factor: number): number => Number((ask * factor).toFixed(5));
      const signal = {
        symbol: 'EURUSD',
        direction: 'buy',
        entry: ask,
        stop_loss: price(0.99),
        take_profit: price(1.02),
      };
      expect((await service().get('/api/signals', { method: 'POST', body: JSON.stringify(signal) })).status).toBe(201);
      const html = await (await service().get('/p/demo')).text();
      expect(html).toContain('<title>demo · track record</title>');
      const script = /src="(\/public\/assets\/[^"]+\.js)"/.exec(html)![1]!;
      expect((await service().get(script)).status).toBe(200);
    });

    test('scores sentiment with the model on its worker thread', async () => {
      const body = JSON.stringify({ text: 'Gold jumps as yields fall', symbol: 'XAUUSD' });
      const scored = await json('/api/ai/sentiment', { method: 'POST', body });
      expect(scored).toMatchObject({ sentiment: 'bullish', model: expect.stringMatching(/^headline-3-/) });
    });

    test('parses a feed on its worker thread', async () => {
      await eventually('the headline', async () => {
        const { items } = (await json('/api/news?limit=50')) as { items: { title: string }[] };
        return items.find(({ title }) => title.startsWith('Gold jumps to a record'));
      });
    });

    test('parses a calendar on its worker thread', async () => {
      await eventually('the event', async () => {
        const { items } = (await json('/api/calendar')) as { items: { title: string }[] };
        return items.find(({ title }) => title === 'Desk rate decision');
      });
    });

    test('writes Parquet', async () => {
      const from = new Date(Date.now() - 86_400_000).toISOString();
      const response = await service().get(`/api/bars/EURUSD?interval=1h&from=${from}&format=parquet`);
      expect(Buffer.from(await response.bytes()).toString('latin1', 0, 4)).toBe('PAR1');
    });

    test('gives agents the rules of signals and the glossary', async () => {
      const agent = await TestAgent.overHttp(service().url, service().key);
      for (const uri of ['tickwire://docs/signal-rules', 'tickwire://docs/glossary']) {
        const { contents } = await agent.client.readResource({ uri });
        expect(contents[0]).toMatchObject({ text: expect.stringContaining('# ') });
      }
      await agent.client.close();
    });
  });
}
