// Titles, encodings and prefixes that only some publishers use.
import { describe, expect, test } from 'bun:test';
import { parseFeed } from './parse-feed.ts';
import type { ParsedItem } from './parsed-feed.ts';

const items = (text: string): readonly ParsedItem[] => {
  const parsed = parseFeed({ bytes: Buffer.from(text), contentType: null, url: 'https://feeds.example/news/feed.xml' });
  if (!parsed.ok) throw new Error(`${parsed.failure}: ${parsed.detail}`);
  return parsed.items;
};
const channel = (inside: string): string => `<rss version="2.0"><channel><title>t</title>${inside}</channel></rss>`;

describe('dialects', () => {
  test.each([
    ['media:title', '<media:title type="plain">Gold rises</media:title>'],
    ['the title of a picture', '<media:content url="/a.jpg"><media:title>Gold rises</media:title></media:content>'],
    ['the title of a group', '<media:group><media:title>Gold rises</media:title></media:group>'],
    ['itunes:title', '<itunes:title>Gold rises</itunes:title>'],
    ['the title of the source', '<source url="https://b.example/feed">Gold rises</source>'],
  ])('an item without a title of its own has %s', (_, inside) => {
    const namespaces =
      'xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"';
    const text = channel(`<item><link>/1</link>${inside}</item>`).replace('<rss ', `<rss ${namespaces} `);
    expect(items(text).map(({ title }) => title)).toEqual(['Gold rises']);
    expect(items(text.replace('<link>', '<title>Own</title><link>'))[0]!.title).toBe('Own');
  });

  test.each([
    ['media:group', '<media:group><media:title>Gold rises</media:title></media:group>'],
    ['its source', '<source><id>urn:2</id><title>Gold rises</title></source>'],
  ])('an entry without a title of its own has that of %s', (_, inside) => {
    const text = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
      <entry><id>urn:1</id>${inside}</entry></feed>`;
    expect(items(text).map(({ title }) => title)).toEqual(['Gold rises']);
  });

  test.each([
    ['Atom 0.3', '<title type="text/html" mode="base64">R29sZCAmIDxiPnNpbHZlcjwvYj4g4oKs</title>'],
    ['lines', '<title mode="base64">\n  R29sZCAmIDxiPnNp\n  bHZlcjwvYj4g4oKs\n</title>'],
    ['a section', '<title mode="base64"><![CDATA[R29sZCAmIDxiPnNpbHZlcjwvYj4g4oKs]]></title>'],
    ['a binary type', '<title type="application/octet-stream">R29sZCAmIDxiPnNpbHZlcjwvYj4g4oKs</title>'],
    ['an encoded word', '<title>=?utf-8?B?R29sZCAmIDxiPnNp?= =?UTF-8*en?b?bHZlcjwvYj4g4oKs?=</title>'],
    ['a quoted encoded word', '<title>=?windows-1252?Q?Gold_&amp;_=3Cb=3Esilver=3C/b=3E_=80?=</title>'],
  ])('titles in base64: %s', (_, title) => {
    const text = `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><id>1</id>${title}</entry></feed>`;
    expect(items(text)[0]!.title).toBe('Gold & <b>silver</b> €');
  });

  test.each([
    ['plain text', '<title mode="base64">Gold rises</title>', 'Gold rises'],
    ['bytes that are not text', '<title mode="base64">AAECAwQ=</title>', 'AAECAwQ='],
    ['base64 without a mark', '<title>R29sZCByaXNlcw==</title>', 'R29sZCByaXNlcw=='],
    ['a word in an unknown charset', '<title>=?x-none?B?R29sZA==?=</title>', '=?x-none?B?R29sZA==?='],
  ])('%s is not decoded', (_, title, expected) => {
    expect(items(`<feed><entry><id>1</id>${title}</entry></feed>`)[0]!.title).toBe(expected);
  });

  const ITEM = '<r:item><r:title>Gold</r:title><r:link>/1</r:link><dc:date>2026-03-02T00:00Z</dc:date></r:item>';
  const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
  test.each([
    ['RSS 1.0', `<rdf:RDF ${RDF} xmlns:r="http://purl.org/rss/1.0/">${ITEM}</rdf:RDF>`],
    ['RSS 0.9', `<rdf:RDF ${RDF} xmlns:r="http://my.netscape.com/rdf/simple/0.9/"><r:channel/>${ITEM}</rdf:RDF>`],
    ['RSS 2.0', `<r:rss version="2.0" xmlns:r="urn:any"><r:channel>${ITEM}</r:channel></r:rss>`],
    ['RSS 2.0 without a namespace', `<rss><channel>${ITEM.replaceAll('r:', 'rss:')}</channel></rss>`],
    [
      'RSS 2.0 in the namespace of Atom',
      `<r:rss xmlns="http://www.w3.org/2005/Atom"><r:channel>${ITEM}</r:channel></r:rss>`,
    ],
    ['items in another namespace', `<rss xmlns:r="http://purl.org/rss/1.0/"><channel>${ITEM}</channel></rss>`],
  ])('elements with a prefix: %s', (_, text) => {
    const dated = text.replace(/ |(?=>)/, ' xmlns:dc="http://purl.org/dc/elements/1.1/" ');
    expect(items(dated)).toMatchObject([
      { title: 'Gold', url: 'https://feeds.example/1', publishedAt: Date.UTC(2026, 2, 2) },
    ]);
  });

  test('RSS without prefixes in the namespace of Atom', () => {
    const text = channel('<item><title>Gold</title></item>').replace(
      '<rss ',
      '<rss xmlns="http://www.w3.org/2005/Atom" ',
    );
    expect(items(text)).toMatchObject([{ title: 'Gold' }]);
  });

  test('a prefix within a section, or in another namespace, is text or unknown', () => {
    expect(items(channel('<item><title><![CDATA[<rss:b>Gold</rss:b>]]></title></item>'))[0]!.title).toBe(
      '<rss:b>Gold</rss:b>',
    );
    const module = '<item><content:encoded>Text</content:encoded></item>';
    const namespace = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"';
    expect(items(channel(module).replace('<rss ', `<rss ${namespace} `))[0]!.summary).toBe('Text');
    const other = channel('<item><rss:title>Other</rss:title><title>Gold</title></item>');
    expect(items(other.replace('<rss ', '<rss xmlns:rss="urn:other" '))[0]!.title).toBe('Gold');
  });
});
