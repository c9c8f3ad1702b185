import { describe, expect, test } from 'bun:test';
import {
  API_VERSION,
  CHANNEL_STREAMS,
  CHANNELS,
  CLOSE_CODES,
  ENDPOINTS,
  type Endpoint,
  ERROR_CODES,
  ERRORS,
  MESSAGES,
  parametersOf,
  RESPONSE_HEADERS,
  schemaName,
  TIERS,
} from '@tickwire/contract';
import { escapeHtml, prose } from './reference/html.ts';
import { referencePage } from './reference-page.ts';

const page = referencePage();
const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);

describe('the reference page', () => {
  test('describes every error code at the anchor that the type of a problem links to', () => {
    for (const code of ERROR_CODES) {
      expect(ids).toContain(`error-${code}`);
      expect(page).toContain(escapeHtml(ERRORS[code].title));
    }
  });

  const articleOf = (name: string, { method }: Endpoint): string => {
    const start = page.indexOf(`<article id="${method.toLowerCase()}-${name}"`);
    expect(start).toBeGreaterThan(0);
    return page.slice(start, page.indexOf('</article>', start));
  };

  test('has every endpoint with its path, summary and parameters', () => {
    for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
      const article = articleOf(name, endpoint);
      expect(article).toContain(endpoint.path);
      for (const { name } of parametersOf(endpoint)) expect(article).toContain(`<code>${name}</code>`);
      for (const code of endpoint.errors) expect(article).toContain(`#error-${code}`);
    }
  });

  test('shows the request body and the response status of every endpoint', () => {
    for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
      const { body, lines, status = 200, response, lineResponse } = endpoint;
      const headings = [...articleOf(name, endpoint).matchAll(/<h4>(.*?)<\/h4>/g)].map(([, text = '']) =>
        text.replaceAll(/<[^>]+>/g, ''),
      );
      expect(headings).toContain(`Response ${status}${lineResponse ? ', one per line' : ''} · ${schemaName(response)}`);
      const bodies = headings.filter((heading) => heading.startsWith('Body'));
      if (body) expect(bodies).toEqual([`Body · ${schemaName(body)}`]);
      else if (lines) expect(bodies).toEqual([`Body, one per line · ${schemaName(lines)}`]);
      else expect(bodies).toEqual([]);
    }
  });

  test('the contents list two methods of one path separately', () => {
    const contents = page.slice(page.indexOf('<aside>'), page.indexOf('</aside>'));
    expect(contents).toContain('<a href="#get-signals"><code>/api/signals</code></a>');
    expect(contents).toContain('<a href="#post-publishSignal"><code>POST /api/signals</code></a>');
  });

  test('has every channel, message, close code, tier, header and the version', () => {
    for (const channel of CHANNELS) expect(page).toContain(`<code>/ws/${channel}</code>`);
    for (const { description = '' } of Object.values(CHANNEL_STREAMS))
      expect(page).toContain(prose(description).markup);
    for (const name of Object.keys(MESSAGES)) expect(ids).toContain(`message-${name}`);
    for (const { code } of CLOSE_CODES) expect(page).toContain(`<th scope="row"><code>${code}</code></th>`);
    for (const tier of Object.keys(TIERS)) expect(page).toContain(`<th scope="row">${tier}</th>`);
    for (const header of Object.keys(RESPONSE_HEADERS)) expect(page).toContain(`<code>${header}</code>`);
    expect(page).toContain(API_VERSION);
  });

  test('every internal link has exactly one target', () => {
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(100);
    for (const target of targets) expect(ids).toContain(target);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('loads no external resources', () => {
    expect(page).not.toMatch(/\s(?:src|srcset|poster|data|action)=/);
    expect(page).not.toMatch(/href="(?:https?:)?\/\//);
    expect(page).not.toMatch(/@import|url\(/);
    const elsewhere = [...page.matchAll(/href="([^#"][^"]*)"/g)].map(([, href]) => href);
    expect([...new Set(elsewhere)].sort()).toEqual(['/asyncapi.json', '/openapi.json', 'data:,']);
  });

  test('is well-formed HTML', () => {
    const open: string[] = [];
    const body = page.replace(/<(script|style)>[\s\S]*?<\/\1>/g, '');
    for (const [, slash, tag = ''] of body.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
      if (['meta', 'link'].includes(tag)) continue;
      if (slash === '') open.push(tag);
      else expect(open.pop()).toBe(tag);
    }
    expect(open).toEqual([]);
    expect(page).not.toMatch(/undefined|\[object/);
  });

  test('shows the note on simulated data only if it is simulated', () => {
    expect(page).not.toContain('class="simulated"');
    expect(referencePage({ simulated: true })).toContain('class="simulated"');
  });
});
