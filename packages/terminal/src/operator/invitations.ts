// For the owner: links that make one account each.
import type { Invitation } from '@tickwire/client';
import { button, make } from '../elements.ts';
import { ask } from '../forms/dialog.ts';
import { Field } from '../forms/field.ts';
import { Form } from '../forms/form.ts';
import { momentElement } from '../moments.ts';
import { issuedSecret } from '../settings/issued-secret.ts';
import { Part } from '../settings/part.ts';
import { panel, type Section, type SettingsContext } from '../settings/section.ts';
import { type Column, table } from '../table.ts';

export const INVITATIONS: Section = {
  id: 'invitations',
  title: 'Invitations',
  intro: 'Each is a link that makes one account of the tier you choose.',
  show: invitations,
};

const DAYS = [
  { value: '7', text: 'for 7 days' },
  { value: '1', text: 'for a day' },
  { value: '30', text: 'for 30 days' },
] as const;

function invitations({ client, account, onSignedOut }: SettingsContext): readonly Node[] {
  const issued = make('div', 'issued-place');
  const takeBack = ({ id }: Invitation) =>
    ask({
      title: 'Take the invitation back?',
      text: 'Its link makes no account any more.',
      confirm: 'Take back',
      act: async () => {
        await client.admin.revokeInvitation(id);
        await list.refresh();
      },
    });
  const list = new Part(async () => {
    const { items } = await client.admin.invitations();
    const last: Column<Invitation> = {
      head: '',
      cell: (each) => (each.state === 'open' ? button('Take back', 'plain', () => takeBack(each)) : ''),
    };
    return [table('Invitations', [...COLUMNS, last], items, 'Nobody is invited.')];
  }, onSignedOut);

  // The tiers there are come with the list of accounts.
  const invite = new Part(async () => {
    const { tiers } = await client.admin.accounts();
    const choices = Object.keys(tiers).map((each) => ({ value: each, text: each }));
    const tier = Field.select({ name: 'tier', label: 'Tier' }, choices, account.owner ? 'free' : account.tier);
    const days = Field.select({ name: 'expires_days', label: 'The link works' }, DAYS);
    const form = new Form({
      fields: [tier, days],
      submit: 'Make a link',
      send: async () => {
        const { link } = await client.admin.createInvitation({ tier: tier.value, expires_days: Number(days.value) });
        issued.replaceChildren(
          issuedSecret('The link', link, 'Send it to the person you invite. It works once and is not shown again.'),
        );
        await list.refresh();
      },
    });
    return [form.element];
  }, onSignedOut);
  return [issued, panel('Invite somebody', invite.element), panel('Of the last year', list.element)];
}

const COLUMNS: readonly Column<Invitation>[] = [
  { head: 'State', cell: ({ state }) => make('span', state === 'open' ? 'chip good' : 'chip', state) },
  { head: 'Tier', cell: ({ tier }) => tier },
  { head: 'Made', cell: ({ created_at }) => momentElement(created_at) },
  { head: 'Expires', cell: ({ expires_at }) => momentElement(expires_at) },
  { head: 'Who came', cell: ({ account }) => account ?? '–' },
];
