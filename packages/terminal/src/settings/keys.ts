// API keys: what there is and when it was last used, a new one, one in place of another, and an end to one.
import type { IssuedKey, KeyInfo } from '@tickwire/client';
import { box, button, link, make } from '../elements.ts';
import { ask } from '../forms/dialog.ts';
import { Field } from '../forms/field.ts';
import { momentElement } from '../moments.ts';
import { type Column, table } from '../table.ts';
import { issuedSecret } from './issued-secret.ts';
import { keyForm } from './key-form.ts';
import { Part } from './part.ts';
import { panel, type Section, type SettingsContext } from './section.ts';

export const KEYS: Section = {
  id: 'keys',
  title: 'API keys',
  intro: 'Your programs call the service with a key. Give each program its own, with no more than it needs.',
  show: (context) => new KeyPanels(context).nodes,
};

const OVERLAPS = [
  { value: '24', text: 'for another 24 hours' },
  { value: '168', text: 'for another 7 days' },
  { value: '1', text: 'for another hour' },
  { value: '0', text: 'not at all' },
] as const;

const SOON_MS = 3 * 86_400_000;

class KeyPanels {
  readonly nodes: readonly Node[];
  readonly #context: SettingsContext;
  readonly #issued = make('div', 'issued-place');
  readonly #part: Part;

  constructor(context: SettingsContext) {
    this.#context = context;
    this.#part = new Part(() => this.#list(), context.onSignedOut);
    this.nodes = [
      this.#issued,
      panel('Your keys', this.#part.element),
      panel(
        'New key',
        keyForm(context, (issued) => this.#show(issued)),
      ),
    ];
  }

  #show(issued: IssuedKey): void {
    const { id, key, name } = issued;
    this.#context.issued.keep(issued);
    const text = 'Copy it now and keep it where your program finds it. It is not stored here and never shown again.';
    const more = [box('p', '', link('See it in a snippet', '#snippets'), ' that runs as it stands.')];
    const card = issuedSecret(`The key “${name}”`, key, text, { more, onDone: () => this.#context.issued.forget(id) });
    this.#issued.replaceChildren(card);
    card.tabIndex = -1;
    // A question that was asked gives the focus back when it closes, to a button that is gone by then.
    requestAnimationFrame(() => {
      card.focus({ preventScroll: true });
      card.scrollIntoView({ block: 'nearest' });
    });
    void this.#part.refresh();
  }

  async #list(): Promise<readonly Node[]> {
    const { items } = await this.#context.client.keys.list();
    const good = items.filter(({ state }) => state === 'good');
    const ended = items.filter(({ state }) => state !== 'good');
    const nodes = [table('Keys', this.#columns(), good, 'No key yet. Make the first one below.')];
    if (ended.length === 0) return nodes;
    const more = box('details', 'ended', make('summary', '', `${ended.length} revoked or expired`));
    more.append(table('Revoked and expired keys', ENDED_COLUMNS, ended, ''));
    return [...nodes, more];
  }

  #columns(): readonly Column<KeyInfo>[] {
    return [
      ...COLUMNS,
      { head: 'Last used', cell: lastUsed },
      { head: 'Expires', cell: expiry },
      {
        head: '',
        cell: (key) =>
          box(
            'span',
            'row-actions',
            button('Rotate', 'plain', () => this.#rotate(key)),
            button('Revoke', 'plain', () => this.#revoke(key)),
          ),
      },
    ];
  }

  #rotate({ id, name }: KeyInfo): void {
    const overlap = Field.select({ name: 'overlap_hours', label: 'The old key works' }, OVERLAPS);
    ask({
      title: `Rotate “${name}”?`,
      text: 'You get a new key with the same scopes. Give it to your program before the old one ends.',
      confirm: 'Make the new key',
      tone: 'primary',
      more: [overlap.element],
      act: async () => this.#show(await this.#context.client.keys.rotate(id, { overlap_hours: Number(overlap.value) })),
    });
  }

  #revoke({ id, name }: KeyInfo): void {
    ask({
      title: `Revoke “${name}”?`,
      text: 'Programs that use it are refused at once, and its streams close. This cannot be undone.',
      confirm: 'Revoke',
      act: async () => {
        await this.#context.client.keys.revoke(id);
        this.#context.issued.forget(id);
        await this.#part.refresh();
      },
    });
  }
}

/** Counted by the minute, so that the first use may seem to have been before the key was there. */
function lastUsed({ last_used_at: used, created_at: made }: KeyInfo): HTMLElement {
  return momentElement(used !== null && used < made ? made : used, 'never');
}

/** What ends soon catches the eye: mostly a key that was rotated. */
function expiry({ expires_at: end }: KeyInfo): HTMLElement {
  const shown = momentElement(end, 'never');
  if (end !== null && Date.parse(end) - Date.now() < SOON_MS) shown.classList.add('alarming');
  return shown;
}

const COLUMNS: readonly Column<KeyInfo>[] = [
  { head: 'Name', cell: ({ name }) => make('span', 'key-name', name) },
  { head: 'Id', cell: ({ id }) => make('code', '', id) },
  {
    head: 'Scopes',
    cell: ({ scopes }) => box('span', 'chips', ...scopes.map((scope) => make('span', 'chip', scope))),
  },
  { head: 'Made', cell: ({ created_at }) => momentElement(created_at) },
];

const ENDED_COLUMNS: readonly Column<KeyInfo>[] = [
  ...COLUMNS,
  { head: 'Ended', cell: ({ revoked_at, expires_at }) => momentElement(revoked_at ?? expires_at) },
];
