// Which page is open, by the address. Links between pages change the page and not the document, so that streams live on.
import { partsOf } from './address.ts';
import { element, write } from './elements.ts';
import type { Page, PageKind } from './page.ts';
import type { Workspace } from './workspace.ts';

export class Router {
  readonly #workspace: Workspace;
  /** What can be gone to. */
  readonly kinds: readonly PageKind[];
  readonly #host = element('page', HTMLElement);
  #kind: PageKind | null = null;
  #page: Page | null = null;

  constructor(workspace: Workspace, kinds: readonly PageKind[]) {
    this.#workspace = workspace;
    this.kinds = kinds.filter(({ forAccounts }) => workspace.account !== null || !forAccounts);
    const { signal } = workspace;
    document.addEventListener('click', (event) => this.#click(event), { signal });
    addEventListener('popstate', () => this.#show(), { signal });
    signal.addEventListener('abort', () => this.#leave());
    this.#show();
  }

  /** `replace`: the way back skips the address that is left. */
  go(path: string, { replace = false } = {}): void {
    if (path === location.pathname + location.search + location.hash) return;
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.#show();
  }

  #show(): void {
    const [name = 'markets', ...path] = partsOf(location.pathname) ?? [];
    const kind = this.kinds.find((each) => each.name === name) ?? this.kinds[0]!;
    if (kind === this.#kind && this.#page?.follow?.(path)) return;
    const first = this.#kind === null;
    this.#leave();
    this.#kind = kind;
    const page = kind.make(this.#workspace, path);
    this.#page = page;
    document.title = page.title;
    this.#host.replaceChildren(page.element);
    page.shown?.();
    if (!first) this.#arrive(kind.label ?? page.title);
    for (const anchor of element('places', HTMLElement).querySelectorAll('a')) {
      const place = partsOf(anchor.pathname)?.[0] ?? 'markets';
      if (place === kind.name) anchor.setAttribute('aria-current', 'page');
      else if (place === kind.within) anchor.setAttribute('aria-current', 'true');
      else anchor.removeAttribute('aria-current');
    }
  }

  /** Whoever cannot see that the page is another one is told, and goes on from its beginning. */
  #arrive(title: string): void {
    const taken = this.#host.contains(document.activeElement);
    const start = this.#host.querySelector<HTMLElement>('h1') ?? this.#host;
    write(element('place', HTMLElement), taken ? title : '');
    if (taken) return;
    start.tabIndex = -1;
    start.focus({ preventScroll: true });
  }

  #leave(): void {
    this.#page?.close();
    this.#page = null;
    this.#kind = null;
    this.#host.replaceChildren();
  }

  #click(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    if (anchor?.target !== '' || anchor.origin !== location.origin) return;
    const [name = 'markets'] = partsOf(anchor.pathname) ?? [];
    // Another section of the same page is the page's own matter; what is no page of the terminal, as the reference, is loaded.
    const here = anchor.pathname === location.pathname && anchor.search === location.search;
    if ((here && anchor.hash !== '') || !this.kinds.some((kind) => kind.name === name)) return;
    event.preventDefault();
    this.go(anchor.pathname + anchor.search + anchor.hash);
  }
}
