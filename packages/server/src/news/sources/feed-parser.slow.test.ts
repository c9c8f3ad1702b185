import { afterAll, describe, expect, test } from 'bun:test';
import { startWatch } from '../../../testing/event-loop.fixture.ts';
import { rss } from '../../../testing/news/fake-publisher.fixture.ts';
import type { ParsedFeed } from '../../documents/parsed-feed.ts';
import { FeedParser } from './feed-parser.ts';

const DEADLINE_MS = 1_500;
const parser = new FeedParser(DEADLINE_MS);
afterAll(() => parser.stop());

const parse = (text: string): Promise<ParsedFeed> =>
  parser.parse({ bytes: Buffer.from(text), contentType: null, url: 'https://feeds.example/' });
const channel = (inside: string): string => `<rss version="2.0"><channel>${inside}</channel></rss>`;

describe('the feed parser', () => {
  test('parses in the order of the calls, off the event loop', async () => {
    const item = (n: number): string =>
      `<item><title>${n}</title><description>${'text '.repeat(50)}</description></item>`;
    const large = channel(Array.from({ length: 15_000 }, (_, n) => item(n)).join(''));
    expect(large.length).toBeGreaterThan(4.5e6);
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    const patient = new FeedParser(30_000);
    const began = performance.now();
    const bytes = Buffer.from(large);
    const [first, second] = await Promise.all([
      patient.parse({ bytes, contentType: null, url: 'https://feeds.example/' }),
      patient.parse({
        bytes: Buffer.from(rss([{ title: 'small' }])),
        contentType: null,
        url: 'https://feeds.example/',
      }),
    ]);
    clearInterval(timer);
    patient.stop();
    console.log(
      `${(large.length / 2 ** 20).toFixed(1)} MiB in ${Math.round(performance.now() - began)} ms, event loop blocked for ${Math.round(longest)} ms`,
    );
    expect(first).toMatchObject({ ok: true, leftOut: 14_000 });
    expect(second).toMatchObject({ ok: true, items: [{ title: 'small' }] });
    expect(longest).toBeLessThan(500);
  });

  test.each([
    ['an author of a million brackets', channel(`<item><title>t</title><author>${'('.repeat(1e6)}</author></item>`)],
    ['RDF with many references to itself', rdfOfReferences(40_000)],
  ])('%s ends at the deadline, and the next feed is parsed', async (_, text) => {
    const passed = startWatch();
    expect(await parse(text)).toMatchObject({ ok: false, failure: 'too_slow' });
    expect(passed()).toBeLessThan(DEADLINE_MS + 1_500);
    expect(await parse(rss([{ title: 'after' }]))).toMatchObject({ ok: true, items: [{ title: 'after' }] });
  });

  test.each([
    ['tags without an end', channel(`<item><title>${'<a "'.repeat(1e6)}`)],
    [
      'sections in attributes',
      `<feed><entry><title type="xhtml"><div>${'<a b="<![CDATA["/>'.repeat(1e5)}</div></title></entry></feed>`,
    ],
    [
      'sections in comments',
      `<feed><entry><title type="xhtml"><div>${'<!--<![CDATA[-->'.repeat(1e5)}</div></title></entry></feed>`,
    ],
    ['declarations', `<!DOCTYPE rss [${'<!ENTITY a "b">'.repeat(2e5)}]>${channel('')}`],
    ['attributes', channel(`<item ${'a="b" '.repeat(5e5)}><title>t</title></item>`)],
    ['entities', channel(`<item><title>${'&amp;'.repeat(8e5)}</title></item>`)],
    ['closing tags', channel('</x>'.repeat(1e6))],
    ['tags with a prefix', channel(`<item>${'<rss:a/>'.repeat(1e5)}<title>t</title></item>`)],
    ['titles in base64', channel('<item><title mode="base64">R29sZA==</title></item>'.repeat(2e4))],
    ['spaces in a tag', channel(`<item><title ${' mode '.repeat(1e5)}${' '.repeat(1e6)}>t</title></item>`)],
    ['base64 in one title', channel(`<item><title mode="base64">${'R29s'.repeat(1e6)}</title></item>`)],
    ['encoded words', channel('<item><title>=?utf-8?B?'.concat('=?utf-8?B?R29s?= '.repeat(2e5), '</title></item>'))],
    ['namespaces', channel('').replace('<rss ', `<rss ${'xmlns:a="http://purl.org/rss" '.repeat(1e5)}`)],
    ['dates', channel(`<item><title>t</title><pubDate>24 x${' '.repeat(90)}2</pubDate></item>`.repeat(1e4))],
  ])('megabytes of %s are parsed before the deadline', async (_, text) => {
    const patient = new FeedParser(8_000);
    const parsed = await patient.parse({
      bytes: Buffer.from(text),
      contentType: null,
      url: 'https://feeds.example/',
    });
    patient.stop();
    expect(parsed.ok ? 'parsed' : parsed.failure).not.toBe('too_slow');
  });

  test('stop cancels parsing', async () => {
    const stopping = new FeedParser();
    const text = channel(`<item><author>${'('.repeat(1e6)}</author></item>`);
    const parsed = stopping.parse({ bytes: Buffer.from(text), contentType: null, url: 'https://feeds.example/' });
    await Bun.sleep(100);
    stopping.stop();
    expect(await parsed).toEqual({ ok: false, failure: 'too_slow', detail: 'stopped' });
  });
});

function rdfOfReferences(count: number): string {
  const each = (make: (n: number) => string): string => Array.from({ length: count }, (_, n) => make(n)).join('');
  return `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><items><rdf:Seq>${each(
    () => '<rdf:li resource="x"/>',
  )}</rdf:Seq></items></channel>${each((n) => `<item rdf:about="u${n}"><title>t</title></item>`)}</rdf:RDF>`;
}
