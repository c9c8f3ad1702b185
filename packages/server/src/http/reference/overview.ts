// The list of everything in the reference. Its items have the anchors of the time when the reference was one page, such as
// `/docs#error-not_found` in the `type` of a problem. The page's script follows the link of such an item at once.
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
  const moved = (id: string, label: Content): Html =>
    html`<li id="${id}" data-moved><a href="${pathOf(id)}#${id}">${label}</a></li>`;
  const movedTitle = (id: string, label: string): Html =>
    html`<h3 id="${id}" data-moved><a href="${pathOf(id)}#${id}">${label}</a></h3>`;
  return [
    {
      id: 'rest',
      label: 'REST endpoints',
      body: [restRules(), DOMAINS.filter(({ tags }) => tags.length > 0).map((page) => domain(page, moved))],
    },
    {
      id: 'streaming-and-errors',
      label: 'Streams and errors',
      body: html`${movedTitle('websocket', 'WebSocket')}
<ul class="index">${STREAM_PARTS.map(({ id, label }) => moved(id, label))}</ul>
<h4>Messages</h4>
<ul class="index">${(Object.keys(MESSAGES) as MessageName[]).map((name) =>
        moved(messageId(name), html`<code>${name}</code>`),
      )}</ul>
${movedTitle('errors', 'Errors')}
<ul class="index">${ERROR_CODES.map((code) => moved(errorId(code), html`<code>${code}</code>`))}</ul>`,
    },
    {
      id: 'resources',
      label: 'Resources',
      body: html`<p>Objects in requests and responses, on the page of the first endpoint that uses them.</p>
<ul class="index">${resources.map((name) => moved(resourceId(name), html`<code>${name}</code>`))}</ul>`,
    },
  ];
}

function domain(page: ReferencePage, moved: (id: string, label: Content) => Html): Html {
  const { path, title, description, tags } = page;
  const rows = tags.flatMap(endpointsOf).map((name) => {
    const { summary } = ENDPOINTS[name];
    return moved(endpointId(name), html`${entryLabel(name)} <span>${prose(summary)}</span>`);
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
