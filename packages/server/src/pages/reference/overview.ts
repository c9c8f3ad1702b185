// The list of everything in the reference. Errors have anchors, because the `type` of a problem is `/docs#error-not_found`. The
// page's script follows the link of such an item at once.
import { ENDPOINTS, ERROR_CODES, MESSAGES, type MessageName } from '@tickwire/contract';
import { DOMAINS, type ReferencePage } from './domains.ts';
import { errorId } from './errors.ts';
import { resourceId } from './fields.ts';
import { type Content, type Html, html, joinContent, prose } from './html.ts';
import { endpointId, endpointsOf, entryLabel, restRules } from './rest.ts';
import type { Section } from './section.ts';
import { messageId, STREAM_PARTS } from './websocket.ts';

/** The page of an anchor. */
export type PathOf = (id: string) => string;

export interface OverviewParts {
  readonly pathOf: PathOf;
  /** Names of all resources. */
  readonly resources: readonly string[];
}

export function overview({ pathOf, resources }: OverviewParts): Section[] {
  const link = (id: string, label: Content): Html => html`<a href="${pathOf(id)}#${id}">${label}</a>`;
  const item = (id: string, label: Content): Html => html`<li>${link(id, label)}</li>`;
  return [
    {
      id: 'rest',
      label: 'REST endpoints',
      body: [restRules(), DOMAINS.filter(({ tags }) => tags.length > 0).map((page) => domain(page, item))],
    },
    {
      id: 'streaming-and-errors',
      label: 'Streams and errors',
      body: html`<h3>${link('websocket', 'WebSocket')}</h3>
<ul class="index">${STREAM_PARTS.map(({ id, label }) => item(id, label))}</ul>
<h4>Messages</h4>
<ul class="index">${(Object.keys(MESSAGES) as MessageName[]).map((name) =>
        item(messageId(name), html`<code>${name}</code>`),
      )}</ul>
<h3>${link('errors', 'Errors')}</h3>
<ul class="index">${ERROR_CODES.map((code) => html`<li id="${errorId(code)}" data-follow>${link(errorId(code), html`<code>${code}</code>`)}</li>`)}</ul>`,
    },
    {
      id: 'resources',
      label: 'Resources',
      body: html`<p>Objects in requests and responses, on the page of the first endpoint that uses them.</p>
<ul class="index">${resources.map((name) => item(resourceId(name), html`<code>${name}</code>`))}</ul>`,
    },
  ];
}

function domain(page: ReferencePage, item: (id: string, label: Content) => Html): Html {
  const { path, title, description, tags } = page;
  const rows = tags.flatMap(endpointsOf).map((name) => {
    const { summary } = ENDPOINTS[name];
    return item(endpointId(name), html`${entryLabel(name)} <span>${prose(summary)}</span>`);
  });
  return html`<h3><a href="${path}">${title}</a></h3><p>${description}</p><ul class="index endpoints">${rows}</ul>`;
}

/** A card for each page, and links to the guides. */
export function pageList(): Html {
  const cards = DOMAINS.map(
    ({ path, title, description }) => html`<li><a href="${path}">${title}</a> <span>${description}</span></li>`,
  );
  return html`<ul class="pages">${cards}</ul>`;
}

export function guideLinks({ guides }: ReferencePage): Html {
  const links = guides.map(({ path, title }) => html`<a href="${path}">${title}</a>`);
  return html`<p class="guides">${links.length === 1 ? 'Guide' : 'Guides'}: ${joinContent(links, ', ')}. <a href="/">Back to the terminal</a>.</p>`;
}
