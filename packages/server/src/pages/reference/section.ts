// A section of a page and its entries in the table of contents.
import { type Content, type Html, html } from './html.ts';

export interface ContentsEntry {
  readonly id: string;
  readonly label: Content;
}

export interface Section extends ContentsEntry {
  readonly label: string;
  readonly body: Content;
  /** Listed under it in the table of contents. */
  readonly entries?: readonly ContentsEntry[];
}

export function renderSection({ id, label, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title"><a href="#${id}">${label}</a></h2>
${body}
</section>`;
}

const item = ({ id, label }: ContentsEntry) => html`<li><a href="#${id}">${label}</a></li>`;

export interface ContentsPage {
  readonly path: string;
  readonly title: string;
}

/** All pages, and the sections of the current one. */
export function contents(pages: readonly ContentsPage[], current: string, sections: readonly Section[]): Html {
  const listed = sections.map(({ id, label, entries = [] }) => {
    const inner = entries.length > 0 && html`<ul>${entries.map(item)}</ul>`;
    return html`<li><a href="#${id}">${label}</a>${inner}</li>`;
  });
  const links = pages.map(({ path, title }) =>
    path === current
      ? html`<li><a href="${path}" aria-current="page">${title}</a><ul class="sections">${listed}</ul></li>`
      : html`<li><a href="${path}">${title}</a></li>`,
  );
  return html`<details class="contents" open><summary>Contents</summary><nav aria-label="Contents"><ul>${links}</ul></nav></details>`;
}
