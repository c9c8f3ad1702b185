// Opens the page of the current address. Links between pages change the page and not the document, so streams stay open.
import { signal } from '@preact/signals';
import { render } from 'preact';
import type { Session } from '../services/session.ts';
import type { Navigator } from '../services/terminal-services.ts';
import { partsOf } from '../ui/address.ts';
import { readCurrentAddress } from '../ui/current-address.ts';
import { element, write } from '../ui/dom/elements.ts';
import type { PageView } from '../ui/page.ts';
import { SessionExpired } from '../ui/session-expired.ts';

export interface PageEntry {
  /** First part of the address: `/signals/…`. */
  readonly name: string;
  /** In the navigation; `null` if the page is only linked from others. */
  readonly label: string | null;
  /** Without a label: the page of the navigation that it belongs to. */
  readonly within?: string;
  /** The page has no pages below it: `/news/anything` does not exist. */
  readonly single?: true;
  /** `path`: the decoded rest of the address: `/markets/EURUSD/5m` → `['EURUSD', '5m']`. */
  readonly open: (path: readonly string[]) => PageView;
}

/** Address of a page; the first one is at the root. */
export const entryAddress = ({ name }: Pick<PageEntry, 'name'>): string => (name === 'markets' ? '/' : `/${name}`);

export class Router implements Navigator {
  readonly current = signal<PageEntry | null>(null);
  readonly #host = element('page', HTMLElement);
  #pages: readonly PageEntry[] = [];
  #notFound: PageEntry | null = null;
  #page: PageView | null = null;
  #onExpired: Session['end'] = () => {};

  /** Opens the first page, and closes the last one with the session. `notFound` is for addresses without a page. */
  start(pages: readonly PageEntry[], notFound: PageEntry, { signal, end }: Pick<Session, 'signal' | 'end'>): void {
    this.#pages = pages;
    this.#notFound = notFound;
    this.#onExpired = end;
    document.addEventListener('click', (event) => this.#click(event), { signal });
    addEventListener('popstate', () => this.#show(), { signal });
    signal.addEventListener('abort', () => this.#leave());
    this.#show();
  }

  go(path: string, { replace = false }: { readonly replace?: boolean } = {}): void {
    if (path === location.pathname + location.search + location.hash) return;
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.#show();
  }

  /** Opens the current page anew, with other services. */
  reopen(): void {
    this.#leave();
    this.#show();
  }

  #show(): void {
    readCurrentAddress();
    const [name = 'markets', ...path] = partsOf(location.pathname) ?? [''];
    const entry =
      this.#pages.find((each) => each.name === name && !(each.single && path.length > 0)) ?? this.#notFound!;
    const before = this.current.peek();
    if (entry === before && this.#page?.navigate?.(path)) return;
    this.#leave();
    this.current.value = entry;
    const page = entry.open(path);
    this.#page = page;
    document.title = page.title;
    render(<SessionExpired.Provider value={this.#onExpired}>{page.view}</SessionExpired.Provider>, this.#host);
    if (before !== null) this.#announce(entry.label ?? page.title);
  }

  /** Announces the new page to screen readers and focuses its heading, unless the page has moved the focus itself. */
  #announce(title: string): void {
    const taken = this.#host.contains(document.activeElement);
    const start = this.#host.querySelector<HTMLElement>('h1') ?? this.#host;
    write(element('place', HTMLElement), taken ? title : '');
    if (taken) return;
    start.tabIndex = -1;
    start.focus({ preventScroll: true });
  }

  #leave(): void {
    render(null, this.#host);
    this.#page = null;
    this.current.value = null;
  }

  #click(event: MouseEvent): void {
    const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (event.defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    if (anchor?.target !== '' || anchor.origin !== location.origin) return;
    const [name = 'markets'] = partsOf(anchor.pathname) ?? [];
    // The browser handles fragments of the same page, and addresses outside the terminal such as the API reference.
    const here = anchor.pathname === location.pathname && anchor.search === location.search;
    if ((here && anchor.hash !== '') || !this.#pages.some((each) => each.name === name)) return;
    event.preventDefault();
    this.go(anchor.pathname + anchor.search + anchor.hash);
  }
}
