// The settings: a list of sections beside the one that is open. Which one stands in the address: `/settings#keys`.
import { box, link, make } from '../elements.ts';
import { isBeingFilled } from '../forms/being-filled.ts';
import { FEEDS } from '../operator/feeds.ts';
import { INVITATIONS } from '../operator/invitations.ts';
import { MODELS } from '../operator/models.ts';
import { NEWS_SOURCES } from '../operator/news-sources.ts';
import { PEOPLE } from '../operator/people.ts';
import { STATISTICS } from '../operator/statistics.ts';
import { STREAMS } from '../operator/streams.ts';
import type { Page, PageKind } from '../page.ts';
import { preferences } from '../preferences.ts';
import { ACCOUNT } from './account.ts';
import { DISPLAY } from './display.ts';
import { IssuedKeys } from './issued-keys.ts';
import { KEYS } from './keys.ts';
import type { Section, SettingsContext } from './section.ts';
import { SNIPPETS } from './snippets/section.ts';
import { USAGE } from './usage.ts';

export const OWN: readonly Section[] = [KEYS, USAGE, SNIPPETS, DISPLAY, ACCOUNT];
export const OPERATOR: readonly Section[] = [PEOPLE, INVITATIONS, STATISTICS, FEEDS, STREAMS, NEWS_SOURCES, MODELS];

export const SETTINGS_PAGE: PageKind = {
  name: 'settings',
  label: 'Settings',
  forAccounts: true,
  make: (workspace) => {
    const { client, account } = workspace;
    // The router knows: this page is not there for who came with a key.
    if (account === null) throw new Error('The settings were opened without an account');
    return new SettingsPage({
      client,
      account,
      onSignedOut: (reason) => workspace.signedOut(reason),
      issued: new IssuedKeys(),
    });
  },
};

class SettingsPage implements Page {
  readonly element = make('div', 'settings');
  readonly #context: Omit<SettingsContext, 'signal'>;
  readonly #sections: readonly Section[];
  readonly #list = make('nav', 'sections');
  readonly #body = make('div', 'section');
  readonly #end = new AbortController();
  #open: Section | null = null;
  /** Aborted when another section is opened, or the page is left. */
  #shown = new AbortController();

  constructor(context: Omit<SettingsContext, 'signal'>) {
    this.#context = context;
    const operates = context.account.scopes.includes('admin');
    this.#sections = operates ? [...OWN, ...OPERATOR] : OWN;
    this.#list.setAttribute('aria-label', 'Settings');
    this.#list.append(group(context.account.name, OWN), ...(operates ? [group('Service', OPERATOR)] : []));
    // It scrolls, and some sections have nothing in them that could be tabbed to.
    this.#body.tabIndex = 0;
    this.element.append(this.#list, this.#body);
    const { signal } = this.#end;
    addEventListener('hashchange', () => this.#turn(), { signal });
    preferences.onChange(signal, () => this.#setAnew());
    this.#show(this.#chosen());
  }

  get title(): string {
    return `${this.#open?.title ?? 'Settings'} · Tickwire`;
  }

  /** A section is no part of the path, so a new address is at most another section of this very page. */
  follow(): boolean {
    this.#turn();
    return true;
  }

  shown(): void {
    this.#markSection();
  }

  close(): void {
    this.#end.abort();
    this.#shown.abort();
  }

  #chosen(): Section {
    return this.#sections.find(({ id }) => `#${id}` === location.hash) ?? this.#sections[0]!;
  }

  #turn(): void {
    const section = this.#chosen();
    // Both the router and the browser tell of a new address.
    if (section === this.#open) return;
    this.#show(section);
    this.#markSection();
    document.title = this.title;
    this.#body.focus();
  }

  /** Times and numbers as they are wanted by now; but not while something is filled in, or shown that is shown only once. */
  #setAnew(): void {
    if (this.#open && !isBeingFilled(this.#body) && !this.#body.querySelector('.issued')) this.#show(this.#open);
  }

  #show(section: Section): void {
    this.#shown.abort();
    this.#shown = new AbortController();
    this.#open = section;
    const head = box('header', '', make('h1', '', section.title), make('p', 'intro', section.intro));
    this.#body.replaceChildren(head, ...section.show({ ...this.#context, signal: this.#shown.signal }));
    this.#body.scrollTop = 0;
  }

  #markSection(): void {
    for (const anchor of this.#list.querySelectorAll('a')) {
      const here = anchor.hash === `#${this.#open?.id}`;
      if (here) anchor.setAttribute('aria-current', 'page');
      else anchor.removeAttribute('aria-current');
      // On a phone they stand in one line, which is longer than the screen.
      if (here) anchor.scrollIntoView({ block: 'nearest', inline: 'center' });
    }
  }
}

function group(title: string, sections: readonly Section[]): HTMLElement {
  const items = sections.map((section) => box('li', '', link(section.title, `#${section.id}`)));
  return box('div', 'section-group', make('p', 'group-title', title), box('ul', '', ...items));
}
