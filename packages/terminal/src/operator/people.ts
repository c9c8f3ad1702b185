// For the owner: every account, its tier, and whether it may come in.
import type { AccountReport } from '@tickwire/client';
import { box, button, make } from '../elements.ts';
import { figure } from '../format.ts';
import { ask } from '../forms/dialog.ts';
import { Field } from '../forms/field.ts';
import { momentElement } from '../moments.ts';
import { Part } from '../settings/part.ts';
import { panel, type Section, type SettingsContext } from '../settings/section.ts';
import { type Column, table } from '../table.ts';

export const PEOPLE: Section = {
  id: 'people',
  title: 'People and tiers',
  intro: 'Everybody who has an account here, people and programs alike, and what they used in the last 24 hours.',
  show: (context) => [people(context)],
};

function people({ client, onSignedOut }: SettingsContext): HTMLElement {
  const part = new Part(async () => {
    const { items, tiers } = await client.admin.accounts();
    const actions = { head: '', cell: (account: AccountReport) => actionsOf(account, Object.keys(tiers)) };
    return [table('Accounts', [...COLUMNS, actions], items, 'Nobody.')];
  }, onSignedOut);

  function actionsOf(account: AccountReport, tiers: readonly string[]): HTMLElement {
    const tier = button('Tier', 'plain', () => setTier(account, tiers));
    if (account.owner) return box('span', 'row-actions', tier);
    const active = account.state === 'active';
    const state = button(active ? 'Disable' : 'Enable', 'plain', () => (active ? disable(account) : enable(account)));
    return box('span', 'row-actions', tier, state);
  }

  function setTier({ id, name, tier }: AccountReport, tiers: readonly string[]): void {
    const choices = tiers.map((each) => ({ value: each, text: each }));
    const field = Field.select({ name: 'tier', label: 'Tier' }, choices, tier);
    ask({
      title: `The tier of ${name}`,
      text: 'Its keys have the new limits at once.',
      confirm: 'Set tier',
      tone: 'primary',
      more: [field.element],
      act: async () => {
        await client.admin.setTier(id, field.value);
        await part.refresh();
      },
    });
  }

  function disable({ id, name }: AccountReport): void {
    ask({
      title: `Disable ${name}?`,
      text: 'The account is signed out everywhere and its keys are refused, until you enable it again.',
      confirm: 'Disable',
      act: async () => {
        await client.admin.disable(id);
        await part.refresh();
      },
    });
  }

  function enable({ id, name }: AccountReport): void {
    ask({
      title: `Enable ${name}?`,
      text: 'The account and its keys are let in again.',
      confirm: 'Enable',
      tone: 'primary',
      act: async () => {
        await client.admin.enable(id);
        await part.refresh();
      },
    });
  }

  return panel('Accounts', part.element);
}

function nameOf({ name, owner, state, signs_in }: AccountReport): HTMLElement {
  const made = box('span', 'chips', make('span', 'key-name', name));
  if (owner) made.append(make('span', 'chip good', 'owner'));
  if (!signs_in) made.append(make('span', 'chip', 'keys only'));
  if (state === 'disabled') made.append(make('span', 'chip bad', 'disabled'));
  return made;
}

const COLUMNS: readonly Column<AccountReport>[] = [
  { head: 'Name', cell: nameOf },
  { head: 'Tier', cell: ({ tier }) => tier },
  { head: 'Last seen', cell: ({ last_seen_at }) => momentElement(last_seen_at, 'never') },
  { head: 'Keys', cell: ({ keys }) => figure(keys), numeric: true },
  { head: 'Streams', cell: ({ streams }) => figure(streams), numeric: true },
  { head: 'Requests', cell: ({ requests_day }) => figure(requests_day), numeric: true },
  { head: 'Errors', cell: ({ errors_day }) => figure(errors_day), numeric: true },
];
