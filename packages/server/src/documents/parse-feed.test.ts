import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { rss } from '../../testing/news/fake-publisher.fixture.ts';
import { recording } from '../../testing/shared-data.fixture.ts';
import { MAX_ITEMS, parseFeed } from './parse-feed.ts';
import { MAX_FEED_BYTES, type ParsedFeed } from './parsed-feed.ts';

const URL_OF_FEED = 'https://feeds.example/news/feed.xml';
const read = (text: string | Uint8Array, contentType: string | null = null): ParsedFeed =>
  parseFeed({ bytes: typeof text === 'string' ? Buffer.from(text) : text, contentType, url: URL_OF_FEED });
const items = (text: string): Extract<ParsedFeed, { ok: true }>['items'] => {
  const reading = read(text);
  if (!reading.ok) throw new Error(`${reading.failure}: ${reading.detail}`);
  return reading.items;
};
const channel = (inside: string): string => `<rss version="2.0"><channel><title>t</title>${inside}</channel></rss>`;

describe('formats', () => {
  test('RSS: raw titles and summaries, dates, links', () => {
    const [item] = items(
      channel(`<item><title><![CDATA[<b>Gold</b> &amp; silver]]></title><link>https://a.example/1?x=1&amp;y=2</link>
        <description>&lt;p&gt;up&lt;/p&gt;</description><guid isPermaLink="false">g1</guid>
        <pubDate>Mon, 02 Mar 2026 15:04:05 GMT</pubDate></item>`),
    );
    expect(item).toEqual({
      guid: 'g1',
      url: 'https://a.example/1?x=1&y=2',
      title: '<b>Gold</b> &amp; silver',
      summary: '<p>up</p>',
      publishedAt: Date.UTC(2026, 2, 2, 15, 4, 5) as never,
    });
  });

  test('Atom: links to the page, not to the entry; `published` before `updated`', () => {
    const [item] =
      items(`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://b.example/x/"><entry><id>urn:1</id>
      <link rel="self" href="self"/><link rel="alternate" href="../page"/><title type="html">T</title>
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><i>c</i></div></content>
      <updated>2026-03-03T00:00:00Z</updated><published>2026-03-02T00:00:00Z</published></entry></feed>`);
    expect(item).toEqual({
      guid: 'urn:1',
      url: 'https://b.example/page',
      title: 'T',
      summary: '<i>c</i>',
      publishedAt: Date.UTC(2026, 2, 2) as never,
    });
  });

  test('RDF and JSON Feed', () => {
    const rdf = items(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>t</title></channel>
      <item rdf:about="https://c.example/1"><title>R</title><dc:date>2026-03-02T01:00+01:00</dc:date></item></rdf:RDF>`);
    expect(rdf).toEqual([
      {
        guid: 'https://c.example/1',
        url: 'https://c.example/1',
        title: 'R',
        summary: null,
        publishedAt: Date.UTC(2026, 2, 2) as never,
      },
    ]);
    const json = {
      version: 'https://jsonfeed.org/version/1.1',
      title: 't',
      items: [{ id: 7, url: '/j', title: 'J', content_text: 'c' }],
    };
    expect(items(JSON.stringify(json))).toEqual([
      { guid: '7', url: 'https://feeds.example/j', title: 'J', summary: 'c', publishedAt: null },
    ]);
  });

  test('the root element decides the format, not the text of the articles', () => {
    const text = '<![CDATA[ <rss version="2.0"> ]]>';
    expect(
      read(`<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>${text}</title></entry></feed>`),
    ).toMatchObject({ format: 'atom' });
    const json = {
      version: 'https://jsonfeed.org/version/1',
      title: ' <rss version="2.0"><item>',
      items: [{ id: '1', title: 'x' }],
    };
    expect(read(JSON.stringify(json))).toMatchObject({ format: 'json', items: [{ title: 'x' }] });
  });

  test('an item with a date that cannot be read has no date', () => {
    const dates = ['Fri, 24 Foo 2023 10:00:00 GMT', '05/06/2023', '0000-00-00 00:00:00', 'now'];
    const text = channel(dates.map((date) => `<item><title>t</title><pubDate>${date}</pubDate></item>`).join(''));
    expect(items(text).map(({ publishedAt }) => publishedAt)).toEqual([null, null, null, null]);
    const second = '<dc:date>2026-03-02T00:00Z</dc:date>';
    expect(items(text.replace('</pubDate>', `</pubDate>${second}`))[0]!.publishedAt).toBe(
      Date.UTC(2026, 2, 2) as never,
    );
  });

  test('only http and https URLs are links', () => {
    const links = [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://a.example/',
      `https://a.example/${'x'.repeat(3_000)}`,
    ];
    for (const link of links)
      expect(items(channel(`<item><title>t</title><link>${link}</link></item>`))[0]!.url).toBeNull();
    expect(items(channel('<item><title>t</title><link>../a?b</link></item>'))[0]!.url).toBe(
      'https://feeds.example/a?b',
    );
    expect(items(channel('<item><title>t</title><link>//c.example/</link></item>'))[0]!.url).toBe('https://c.example/');
  });
});

describe('limits', () => {
  test('takes the newest thousand items in any order and counts the rest', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => ({
      title: `n${n}`,
      date: new Date(Date.UTC(2026, 0, 1) + n * 60_000),
    }));
    const reading = read(rss(many));
    if (!reading.ok) throw new Error(reading.failure);
    expect(reading.items).toHaveLength(MAX_ITEMS);
    expect(reading.leftOut).toBe(9_000);
    expect([reading.items[0]!.title, reading.items.at(-1)!.title]).toEqual(['n9999', 'n9000']);
  });

  test('undated items follow the dated ones in their order', () => {
    const mixed = rss([
      { title: 'a', date: null },
      { title: 'b', date: new Date() },
      { title: 'c', date: null },
    ]);
    expect(items(mixed).map(({ title }) => title)).toEqual(['b', 'a', 'c']);
  });

  test('cuts titles and summaries of megabytes; counts empty items', () => {
    const reading = read(
      channel(
        `<item><title>${'x'.repeat(2e6)}</title><description>${'y'.repeat(2e6)}</description></item><item><guid>x</guid></item>`,
      ),
    );
    expect(reading).toMatchObject({ ok: true, leftOut: 1 });
    const [item] = reading.ok ? reading.items : [];
    expect([item!.title.length, item!.summary!.length]).toEqual([4_096, 16_384]);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'empty'],
    ['blanks', ' \n\t ', 'empty'],
    ['too much', new Uint8Array(MAX_FEED_BYTES + 1), 'too_large'],
    ['a web page', '<!DOCTYPE html><html><body>hello</body></html>', 'not_a_feed: it is an HTML page'],
    ['other XML', '<?xml version="1.0"?><catalog/>', 'not_a_feed: its root element is catalog'],
    ['text', 'Service temporarily unavailable', 'not_a_feed: it has no root element'],
    ['zeros', new Uint8Array(1_000), 'not_a_feed: it has no root element'],
    ['a response of an API', '{"title":"x","items":[]}', 'not_a_feed: it is JSON, but not a JSON Feed'],
    ['truncated JSON', '{"version":"https://jsonfeed.org/version/1","items":[', 'malformed'],
    ['a truncated feed', rss([{ title: 'one' }]).slice(0, -16), 'truncated: it ends before its root element is closed'],
    ['a tag without an end', channel('<item><title a="').slice(0, -30), 'truncated: '],
    ['a comment without an end', channel('<!-- '), 'truncated: --> is missing'],
    ['a DOCTYPE in the middle', channel('<!DOCTYPE x [<!ENTITY a "b">]>'), 'malformed: it has a declaration inside'],
    ['deep nesting', channel('<a>'.repeat(1e5) + '</a>'.repeat(1e5)), 'too_deep: more than 500 nested elements'],
    [
      'nesting beyond the limit of the parser',
      channel('<a>'.repeat(200) + '</a>'.repeat(200)),
      'too_deep: Maximum nested tags',
    ],
    [
      'deep JSON',
      `{"version":"https://jsonfeed.org/version/1","items":${'['.repeat(1e6)}`,
      'too_deep: more than 500 nested values',
    ],
    [
      'names of JavaScript built-ins',
      channel('<constructor>x</constructor><__proto__>y</__proto__>'),
      'malformed: [SECURITY]',
    ],
  ])('rejects %s', (_, text, expected) => {
    const reading = read(text);
    expect(reading.ok ? 'read' : `${reading.failure}: ${reading.detail}`).toStartWith(expected);
  });

  test('entities of a DOCTYPE are neither expanded nor fetched', () => {
    const laughs = Array.from({ length: 30 }, (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`).join('');
    const doctype = `<!DOCTYPE rss [<!-- it's one --><!ENTITY lol0 "lol">${laughs}<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
    expect(
      items(`<?xml version="1.0"?>${doctype}${channel('<item><title>&lol30;&x; &amp; &euro;</title></item>')}`)[0]!
        .title,
    ).toBe('&lol30;&x; & €');
    const plain =
      '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/rss-0.91.dtd">';
    expect(items(plain + channel('<item><title>t</title></item>'))).toHaveLength(1);
  });
});

describe('real feeds', () => {
  const REFUSED: Readonly<Record<string, string>> = {
    'atom/atom_entry_1.xml': 'not_a_feed',
    'rss2/rss_2.0_invalid_1.xml': 'truncated',
    'xml/xml_sample_1.xml': 'not_a_feed',
    'xml/xml_sample_2.xml': 'not_a_feed',
  };
  const root = recording('feeds/feed-rs');

  test('each is parsed, or rejected with a named failure', () => {
    const files = [...new Glob('**/*.{xml,json}').scanSync(root)].sort();
    expect(files.length).toBeGreaterThan(60);
    for (const file of files) {
      const reading = read(readFileSync(join(root, file)));
      expect([file, reading.ok ? 'read' : reading.failure]).toEqual([file, REFUSED[file] ?? 'read']);
      if (!reading.ok) continue;
      expect(reading.items.length).toBeGreaterThan(0);
      for (const { title, summary, url } of reading.items) {
        expect(title + (summary ?? '')).not.toContain('\ufffd');
        if (url) expect(url).toMatch(/^https?:/);
      }
    }
  });

  test('none throws, even if truncated or damaged', () => {
    let survived = 0;
    for (const file of [...new Glob('**/*.{xml,json}').scanSync(root)].sort()) {
      const bytes = readFileSync(join(root, file));
      if (bytes.length > 6_000) continue;
      for (let part = 1; part <= 6; part++) {
        const cut = bytes.subarray(0, Math.floor((bytes.length * part) / 7));
        expect(typeof read(cut).ok).toBe('boolean');
        // The same damage every time: each 37th byte is changed.
        const damaged = bytes.map((byte, at) => ((at + part) % 37 === 0 ? (byte * 7 + part) & 255 : byte));
        if (read(damaged).ok) survived++;
      }
    }
    expect(survived).toBeGreaterThan(0);
  });
});
