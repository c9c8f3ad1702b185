import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import {
  API_VERSION,
  CHANNEL_STREAMS,
  CHANNELS,
  CLOSE_CODES,
  ENDPOINTS,
  type Endpoint,
  ERROR_CODES,
  ERRORS,
  endpointErrors,
  MESSAGES,
  openApiDocument,
  parametersOf,
  RESPONSE_HEADERS,
  schemaName,
  TIERS,
} from '@tickwire/contract';
import { llmsText } from './llms-text.ts';
import { FONT_PATH } from './page-font.ts';
import { DOMAINS, REFERENCE_PAGES } from './reference/domains.ts';
import { prose } from './reference/html.ts';
import { markdownOf } from './reference/markdown.ts';
import { searchIndex } from './reference/search-index.ts';
import { renderReference } from './reference-page.ts';

const reference = renderReference({ script: 'void 0;' });
const rendered = reference.pages;
const pages = new Map(rendered.map(({ page, html }) => [page.path, html]));
const overview = pages.get('/docs')!;
const streams = pages.get('/docs/streams')!;
const errors = pages.get('/docs/errors')!;
const idsOf = (page: string): string[] => [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
const ids = new Map([...pages].map(([path, page]) => [path, new Set(idsOf(page))]));
const endpoints = Object.entries<Endpoint>(ENDPOINTS);
const endpointId = (name: string, { method }: Endpoint): string => `${method.toLowerCase()}-${name}`;

describe('the reference', () => {
  test('has a page for every tag of the contract', () => {
    const { tags } = openApiDocument() as { tags: { name: string }[] };
    expect(DOMAINS.flatMap((page) => page.tags).sort() as string[]).toEqual(tags.map(({ name }) => name).sort());
    expect([...pages.keys()]).toEqual(REFERENCE_PAGES.map(({ path }) => path));
  });

  test('describes every error code at its anchor', () => {
    for (const code of ERROR_CODES) {
      expect(ids.get('/docs/errors')).toContain(`error-${code}`);
      expect(errors).toContain(Bun.escapeHTML(ERRORS[code].title));
    }
  });

  const articleOf = (name: string, endpoint: Endpoint): string => {
    const page = pages.get(DOMAINS.find(({ tags }) => tags.includes(endpoint.tag))!.path)!;
    const start = page.indexOf(`<article id="${endpointId(name, endpoint)}"`);
    expect(start).toBeGreaterThan(0);
    return page.slice(start, page.indexOf('</article>', start));
  };

  test('has every endpoint with its path, summary and parameters', () => {
    for (const [name, endpoint] of endpoints) {
      const article = articleOf(name, endpoint);
      expect(article).toContain(endpoint.path);
      for (const { name } of parametersOf(endpoint)) expect(article).toContain(`<code>${name}</code>`);
      for (const code of endpointErrors(endpoint)) expect(article).toContain(`href="/docs/errors#error-${code}"`);
    }
  });

  test('shows the request body and the response status of every endpoint', () => {
    for (const [name, endpoint] of endpoints) {
      const { body, otherBody, lines, status = 200, response, lineResponse } = endpoint;
      const headings = [...articleOf(name, endpoint).matchAll(/<h4>(.*?)<\/h4>/g)].map(([, text = '']) =>
        text.replaceAll(/<[^>]+>/g, ''),
      );
      expect(headings).toContain(`Response ${status}${lineResponse ? ', one per line' : ''} · ${schemaName(response)}`);
      const bodies = headings.filter((heading) => /^(?:Or b|B)ody/.test(heading));
      if (body)
        expect(bodies).toEqual([
          `Body · ${schemaName(body)}`,
          ...(otherBody ? [`Or body · ${schemaName(otherBody)}`] : []),
        ]);
      else if (lines) expect(bodies).toEqual([`Body, one per line · ${schemaName(lines)}`]);
      else expect(bodies).toEqual([]);
    }
  });

  test('shows every endpoint in three languages, and a stream of events with curl', () => {
    for (const [name, endpoint] of endpoints) {
      const shown = [...articleOf(name, endpoint).matchAll(/<code class="language-(sh|ts|python)">/g)].map(
        ([, of]) => of,
      );
      expect([name, shown]).toEqual([name, endpoint.eventStream ? ['sh'] : ['sh', 'ts', 'python']]);
    }
  });

  test('offers to try every endpoint, except what would use the session to change something or set a cookie', () => {
    for (const [name, endpoint] of endpoints) {
      const article = articleOf(name, endpoint);
      const isOffered = !endpoint.setsCookie && (endpoint.auth !== 'session' || endpoint.method === 'GET');
      expect([name, article.includes('class="try"')]).toEqual([name, isOffered]);
      if (!isOffered) continue;
      const inputs = [...article.matchAll(/<(?:input|select) id="[^"]+" name="([^"]+)"/g)].map(([, input]) => input);
      expect([name, inputs]).toEqual([name, parametersOf(endpoint).map((each) => each.name)]);
      expect([name, article.includes('data-in="key"')]).toEqual([name, endpoint.auth === 'key']);
      expect([name, article.includes('data-in="body"')]).toEqual([name, Boolean(endpoint.body ?? endpoint.lines)]);
    }
  });

  test('the contents list all pages, and two methods of one path separately', () => {
    const page = pages.get('/docs/signals')!;
    const contents = page.slice(page.indexOf('<aside>'), page.indexOf('</aside>'));
    for (const { path } of REFERENCE_PAGES) expect(contents).toContain(`<a href="${path}"`);
    expect(contents).toContain('<a href="/docs/signals" aria-current="page">');
    expect(contents).toContain('<a href="#get-signals"><code>/api/<wbr>signals</code></a>');
    expect(contents).toContain('<a href="#post-publishSignal"><code>POST /api/<wbr>signals</code></a>');
  });

  test('has every channel, message, close code, tier, header and the version', () => {
    for (const channel of CHANNELS) expect(streams).toContain(`<code>/ws/${channel}</code>`);
    for (const { description = '' } of Object.values(CHANNEL_STREAMS))
      expect(streams).toContain(prose(description).markup);
    for (const name of Object.keys(MESSAGES)) expect(ids.get('/docs/streams')).toContain(`message-${name}`);
    for (const { code } of CLOSE_CODES) expect(streams).toContain(`<th scope="row"><code>${code}</code></th>`);
    for (const tier of Object.keys(TIERS)) expect(overview).toContain(`<th scope="row">${tier}</th>`);
    for (const header of Object.keys(RESPONSE_HEADERS)) expect(overview).toContain(`<code>${header}</code>`);
    for (const page of pages.values()) expect(page).toContain(API_VERSION);
  });

  test('every anchor is unique, and every link within the reference has a target', () => {
    for (const [path, page] of pages) {
      expect([path, idsOf(page).length]).toEqual([path, ids.get(path)!.size]);
      for (const [, target = '', id = ''] of page.matchAll(/href="((?:\/docs(?:\/[a-z]+)?)?)#([^"]+)"/g))
        expect([path, target, id, ids.get(target || path)?.has(id)]).toEqual([path, target, id, true]);
    }
    expect([...overview.matchAll(/href="\/docs/g)].length).toBeGreaterThan(300);
  });

  test('the overview leads from the address of an error to its page', () => {
    for (const id of ERROR_CODES.map((code) => `error-${code}`))
      expect(overview).toContain(`id="${id}" data-follow><a href="/docs/errors#${id}">`);
  });

  test('the overview has a link to every endpoint, message and resource', () => {
    for (const [path, page] of pages)
      for (const [, id] of page.matchAll(/<article[^>]* id="([^"]+)"/g))
        expect([path, id, overview.includes(`href="${path}#${id}"`)]).toEqual([path, id, true]);
  });

  test('links only to pages of the service, and to guides that exist', () => {
    for (const page of pages.values()) {
      expect(page).not.toMatch(/\s(?:src|srcset|poster|data|action)=/);
      expect(page).not.toMatch(/href="(?:https?:)?\/\//);
      // The font of all pages is the only file.
      expect(page.replace(`url(${FONT_PATH})`, '')).not.toMatch(/@import|url\(/);
      for (const [, href = ''] of page.matchAll(/href="([^#"][^"]*)"/g))
        expect(href).toMatch(
          /^(\/|\/docs(\/[a-z]+)?(\.md)?(#.*)?|\/guide\/[a-z/-]*|\/(openapi|asyncapi)\.json|\/llms\.txt|data:image\/svg.*)$/,
        );
    }
    for (const { path } of REFERENCE_PAGES.flatMap(({ guides }) => guides)) {
      const name = path.slice('/guide/'.length) || 'index';
      expect([path, existsSync(new URL(`../../../../docs/${name}.md`, import.meta.url))]).toEqual([path, true]);
    }
  });

  test('is well-formed HTML', () => {
    for (const page of pages.values()) {
      const open: string[] = [];
      const body = page.replace(/<(script|style)>[\s\S]*?<\/\1>/g, '');
      for (const [, slash, tag = ''] of body.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
        if (['meta', 'link', 'input', 'wbr'].includes(tag)) continue;
        if (slash === '') open.push(tag);
        else expect(open.pop()).toBe(tag);
      }
      expect(open).toEqual([]);
      expect(page).not.toMatch(/undefined|\[object/);
      expect([...page.matchAll(/<h1/g)]).toHaveLength(1);
    }
  });

  test('shows the note on simulated data only if it is simulated', () => {
    for (const page of pages.values()) expect(page).not.toContain('class="simulated"');
    for (const { html } of renderReference({ simulated: true }).pages) expect(html).toContain('class="simulated"');
  });
});

describe('the search index', () => {
  const { pages: paths, entries } = searchIndex(reference);
  const find = (kind: string, title: string): string[] =>
    entries
      .filter((each) => each[0] === kind && each[1] === title)
      .map(([, , , page, anchor]) => `${paths[page]}#${anchor}`);

  test('leads to an existing anchor for each entry', () => {
    for (const [kind, title, , page, anchor] of entries)
      expect([kind, title, ids.get(paths[page]!)!.has(anchor)]).toEqual([kind, title, true]);
  });

  test('has endpoints, messages, fields, parameters, headers and errors', () => {
    expect(find('endpoint', 'POST /api/signals')).toEqual(['/docs/signals#post-publishSignal']);
    expect(find('message', 'MarketTick')).toEqual(['/docs/streams#message-MarketTick']);
    expect(find('field', 'take_profit')).toContain('/docs/signals#resource-SignalRequest');
    expect(find('field', 'prev')).toContain('/docs/streams#message-MarketTick');
    expect(find('parameter', 'timeframe')).toContain('/docs/history#get-market');
    expect(find('header', 'Retry-After')).toEqual(['/docs#headers']);
    expect(find('error', 'too_slow')).toEqual(['/docs/errors#error-too_slow']);
    expect(find('section', 'Close codes')).toEqual(['/docs/streams#close-codes']);
  });

  test('is small', () => expect(Bun.gzipSync(JSON.stringify({ paths, entries })).length).toBeLessThan(32_000));
});

describe('the Markdown version', () => {
  const versions = new Map(rendered.map(({ page, main }) => [page.path, markdownOf(main)]));

  test('has every endpoint, code sample and error of its page', () => {
    for (const [name, { method, path, tag }] of endpoints) {
      const text = versions.get(DOMAINS.find(({ tags }) => tags.includes(tag))!.path)!;
      expect([name, text.includes(`### ${method} ${path}\n`)]).toEqual([name, true]);
    }
    for (const [path, page] of pages) {
      const samples = [...page.matchAll(/<pre /g)].length;
      expect([path, [...versions.get(path)!.matchAll(/^```\w+$/gm)].length]).toEqual([path, samples]);
    }
    for (const code of ERROR_CODES) expect(versions.get('/docs/errors')).toContain(`| \`${code}\` |`);
  });

  test('has samples as they stand, and no markup outside of them', () => {
    const text = versions.get('/docs/signals')!;
    expect(text).toContain(
      '```sh\ncurl -H "X-API-Key: $TICKWIRE_API_KEY" \\\n  "http://localhost:8080/api/signals?status=all&limit=2"\n```',
    );
    for (const [path, each] of versions) {
      const outside = each.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
      expect([path, /<\/?[a-z]+[^>]*>|&(amp|lt|gt|quot|#x27);/.exec(outside)?.[0]]).toEqual([path, undefined]);
    }
  });

  test('is linked from llms.txt with the guides', () => {
    const text = llmsText([{ path: '/guide/streaming.md', title: 'Streaming', description: 'Live data.' }]);
    const [title, , summary] = text.split('\n');
    expect(title).toBe('# Tickwire');
    expect(summary).toStartWith('> ');
    for (const { path } of REFERENCE_PAGES) expect(text).toContain(`](${path}.md): `);
    expect(text).toContain('## Guides\n\n- [Streaming](/guide/streaming.md): Live data.\n');
    expect(llmsText()).not.toContain('## Guides');
    for (const line of text
      .split('\n')
      .slice(6)
      .filter((each) => each !== '' && !each.startsWith('## ')))
      expect(line).toMatch(/^- \[[^\]]+\]\(\/\S+\): .+\.$/);
  });
});
