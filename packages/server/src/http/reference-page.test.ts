import { describe, expect, test } from 'bun:test';
import {
  API_VERSION,
  CHANNELS,
  CLOSE_CODES,
  ENDPOINTS,
  ERROR_CODES,
  ERRORS,
  MESSAGES,
  parametersOf,
  RESPONSE_HEADERS,
  TIERS,
} from '@tickwire/contract';
import { escapeHtml } from './reference/html.ts';
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

  test('has every endpoint with its path, summary and parameters', () => {
    for (const [name, endpoint] of Object.entries(ENDPOINTS)) {
      const start = page.indexOf(`<article id="${endpoint.method.toLowerCase()}-${name}"`);
      const article = page.slice(start, page.indexOf('</article>', start));
      expect(start).toBeGreaterThan(0);
      expect(article).toContain(endpoint.path);
      for (const { name } of parametersOf(endpoint)) expect(article).toContain(`<code>${name}</code>`);
      for (const code of endpoint.errors) expect(article).toContain(`#error-${code}`);
    }
  });

  test('has every channel, message, close code, tier, header and the version', () => {
    for (const channel of CHANNELS) expect(page).toContain(`<code>/ws/${channel}</code>`);
    for (const name of Object.keys(MESSAGES)) expect(ids).toContain(`message-${name}`);
    for (const { code } of CLOSE_CODES) expect(page).toContain(`<th scope="row"><code>${code}</code></th>`);
    for (const tier of Object.keys(TIERS)) expect(page).toContain(`<th scope="row">${tier}</th>`);
    for (const header of Object.keys(RESPONSE_HEADERS)) expect(page).toContain(`<code>${header}</code>`);
    expect(page).toContain(API_VERSION);
  });

  test('every link within it leads to one place', () => {
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(100);
    for (const target of targets) expect(ids).toContain(target);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('loads nothing: it works without a network', () => {
    expect(page).not.toMatch(/\s(?:src|srcset|poster|data|action)=/);
    expect(page).not.toMatch(/href="(?:https?:)?\/\//);
    expect(page).not.toMatch(/@import|url\(/);
    const elsewhere = [...page.matchAll(/href="([^#"][^"]*)"/g)].map(([, href]) => href);
    expect([...new Set(elsewhere)].sort()).toEqual(['/asyncapi.json', '/openapi.json', 'data:,']);
  });

  test('is well formed: what is opened is closed', () => {
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

  test('says that data is simulated only where it is', () => {
    expect(page).not.toContain('class="simulated"');
    expect(referencePage({ simulated: true })).toContain('class="simulated"');
  });
});
