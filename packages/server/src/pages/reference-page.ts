// The API reference at /docs: self-contained pages, one for each domain, generated from the contract.
import { API_VERSION, type JsonSchema, Problem, RESPONSE_HEADERS, type SchemaSet, schemaSet } from '@tickwire/contract';
import { authentication, gettingStarted, limits } from './reference/access.ts';
import { DOMAINS, markdownPath, OVERVIEW, REFERENCE_PAGES, type ReferencePage } from './reference/domains.ts';
import { errors } from './reference/errors.ts';
import { type Content, html, raw } from './reference/html.ts';
import { guideLinks, overview, pageList } from './reference/overview.ts';
import { resources, versioning } from './reference/resources.ts';
import { rest } from './reference/rest.ts';
import { HEAD_SCRIPT } from './reference/script.ts';
import { contents, renderSection, type Section } from './reference/section.ts';
import { STYLE } from './reference/style.ts';
import { websocket } from './reference/websocket.ts';

export interface ReferenceOptions {
  /** Shows a note that the data of this service is simulated. */
  readonly simulated?: boolean;
  /** The script at the end of each page. */
  readonly script?: string;
}

export interface RenderedPage {
  readonly page: ReferencePage;
  readonly html: string;
  /** The content without navigation. */
  readonly main: string;
  readonly sections: readonly Section[];
}

/** As in the terminal, like the mark. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%23121821'/%3E%3Cpath d='M2 10h3l2-6 3 9 2-5h2' fill='none' stroke='%234f9cf9' stroke-width='1.6' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

const MARK = raw(
  '<svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><path d="M1 10h3.5l2-7 3 10.5 2-6H15"></path></svg>',
);

const SIMULATED = html`<p class="simulated" role="note"><strong>Simulated data.</strong> Prices, volumes and everything derived from them
on this service are not real. Responses carry the header <code>Data-Source: simulated</code>, subscription notices <code>"source":"simulated"</code>.</p>`;

/** Hidden until the script has filled it. */
const SEARCH = raw(
  '<div class="search" hidden><input type="search" id="search" role="combobox" aria-label="Search the reference" aria-expanded="false" aria-controls="results" aria-autocomplete="list" placeholder="Search" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd><ul id="results" role="listbox" aria-label="Results" hidden></ul></div>',
);

export interface Reference {
  readonly pages: readonly RenderedPage[];
  /** Of resources and messages, by name. */
  readonly schemas: SchemaSet['schemas'];
  readonly messageSchemas: SchemaSet['schemas'];
}

/** All pages of the reference. */
export function renderReference(options: ReferenceOptions = {}): Reference {
  // Conversions of schemas take most of the time, so all pages share them.
  const set = schemaSet('#/');
  const messages = schemaSet('#/');
  const pages = renderPages(sectionsOfDomains(set, messages), options);
  return { pages, schemas: set.schemas, messageSchemas: messages.schemas };
}

type PageSections = readonly [ReferencePage, readonly Section[]];

function renderPages(content: readonly PageSections[], options: ReferenceOptions): readonly RenderedPage[] {
  const homes = new Map<string, string>();
  const domains = content.map(([page, sections]) => {
    const markup = renderMain(page, sections);
    for (const id of idsOf(markup)) {
      if (homes.has(id)) throw new Error(`the anchor ${id} is on two pages`);
      homes.set(id, page.path);
    }
    return [page, sections, markup] as const;
  });
  const pathOf = (id: string): string => {
    const path = homes.get(id);
    if (path === undefined) throw new Error(`the anchor ${id} is on no page`);
    return path;
  };
  const named = [...homes.keys()].filter((id) => id.startsWith('resource-')).map((id) => id.slice('resource-'.length));
  const first = [
    gettingStarted(),
    authentication(),
    limits(),
    ...overview({ pathOf, resources: named.sort() }),
    versioning(),
  ];
  const markup = renderMain(OVERVIEW, first);
  // The overview repeats the anchors of errors, which stay where they are.
  for (const id of idsOf(markup)) if (!homes.has(id)) homes.set(id, OVERVIEW.path);
  return [[OVERVIEW, first, markup] as const, ...domains].map(([page, sections, own]) => {
    const main = withLinks(own, page.path, pathOf);
    return { page, sections, main, html: renderPage(page, sections, main, options) };
  });
}

/** Each resource is on the first page that uses it. Messages have their field tables with the messages themselves. */
function sectionsOfDomains(set: SchemaSet, messages: SchemaSet): readonly PageSections[] {
  const placed = new Set<string>();
  const unplaced = (): [string, JsonSchema][] => {
    const found = Object.entries(set.schemas).filter(([name]) => !placed.has(name));
    for (const [name] of found) placed.add(name);
    return found;
  };
  set.ref(Problem);
  const problem = unplaced();
  return DOMAINS.map((page): PageSections => {
    const name = page.path.slice(page.path.lastIndexOf('/') + 1);
    if (name === 'errors') return [page, [errors(), resources(name, problem)]];
    const streams = name === 'streams' ? [websocket(messages)] : [];
    const endpoints = page.tags.map((tag) => rest(tag, set));
    const found = unplaced();
    return [page, [...streams, ...endpoints, ...(found.length > 0 ? [resources(name, found)] : [])]];
  });
}

const idsOf = (markup: string): string[] =>
  [...markup.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id).filter((id) => !/^try-/.test(id));

/** Links to anchors of other pages get their path. */
const withLinks = (markup: string, path: string, pathOf: (id: string) => string): string =>
  markup.replaceAll(/href="#([^"]+)"/g, (link, id: string) => {
    const home = pathOf(id);
    return home === path ? link : `href="${home}#${id}"`;
  });

function renderMain(page: ReferencePage, sections: readonly Section[]): string {
  return html`<h1>${page.title}</h1>
<p class="lead">${page.description}</p>${guideLinks(page)}${page === OVERVIEW && pageList()}
${sections.map(renderSection)}`.markup;
}

function renderPage(
  page: ReferencePage,
  sections: readonly Section[],
  main: string,
  { simulated = false, script = '' }: ReferenceOptions,
): string {
  const title: Content = page === OVERVIEW ? 'Tickwire API reference' : `${page.title} · Tickwire API reference`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${page.description}">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<link rel="alternate" type="text/markdown" href="${markdownPath(page)}">
<style>${raw(STYLE)}</style>
<script>${raw(HEAD_SCRIPT)}</script>
</head>
<body>
<a class="skip" href="#content">Skip to the reference</a>
<header class="masthead"><a class="name" href="/" aria-label="Tickwire, terminal">${MARK}Tickwire</a><a class="title" href="/docs">API reference</a><span class="version">${API_VERSION}</span>
${SEARCH}<nav aria-label="Documents"><a href="/">Terminal</a><a href="/guide/">Guide</a><a href="/openapi.json">OpenAPI</a><a href="/asyncapi.json">AsyncAPI</a></nav></header>
<div class="frame">
<aside>${contents(REFERENCE_PAGES, page.path, sections)}</aside>
<main id="content" data-headers="${Object.keys(RESPONSE_HEADERS).join(' ')}">${simulated && SIMULATED}
${raw(main)}
<footer><a href="${markdownPath(page)}">This page as Markdown</a></footer>
</main>
</div>
<script>${raw(script)}</script>
</body>
</html>
`.markup;
}
