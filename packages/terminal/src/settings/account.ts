// The account itself: what it is, its password, where it is signed in, and how to leave.
import type { SessionInfo } from '@tickwire/client';
import { box, button, element, make } from '../elements.ts';
import { ask } from '../forms/dialog.ts';
import { Form } from '../forms/form.ts';
import { knownPassword, newPassword, ownName } from '../gate/credentials.ts';
import { momentElement } from '../moments.ts';
import { type Column, table } from '../table.ts';
import { Part } from './part.ts';
import { panel, type Section, type SettingsContext } from './section.ts';

export const ACCOUNT: Section = {
  id: 'account',
  title: 'Account',
  intro: 'Who you are here, where you are signed in, and your password.',
  show: (context) => [facts(context), sessions(context), password(context), leaving(context)],
};

function facts({ account }: SettingsContext): HTMLElement {
  const { requests_per_minute, streams, ai_calls_per_day } = account.tier_limits;
  const entries: readonly (readonly [string, Node | string])[] = [
    ['Name', account.owner ? `${account.name} (owner of this service)` : account.name],
    ['Tier', account.tier],
    [
      'Keys may use',
      `${requests_per_minute} requests a minute, ${streams} streams, ${ai_calls_per_day} AI calls a day`,
    ],
    ['Since', momentElement(account.created_at)],
    ['Id', make('code', '', account.id)],
  ];
  const list = box('dl', 'facts', ...entries.flatMap(([term, text]) => [make('dt', '', term), box('dd', '', text)]));
  return panel('Your account', list);
}

function sessions({ client, onSignedOut }: SettingsContext): HTMLElement {
  const end = (id: string) =>
    ask({
      title: 'Sign out there?',
      text: 'That browser has to sign in again.',
      confirm: 'Sign out',
      act: async () => {
        await client.account.revokeSession(id);
        await part.refresh();
      },
    });
  const columns: readonly Column<SessionInfo>[] = [
    { head: 'Browser', cell: ({ browser }) => browser },
    { head: 'Address', cell: ({ address }) => make('code', '', address) },
    { head: 'Signed in', cell: ({ created_at }) => momentElement(created_at) },
    { head: 'Last seen', cell: ({ last_seen_at }) => momentElement(last_seen_at) },
    {
      head: '',
      cell: ({ id, current }) =>
        current ? make('span', 'chip good', 'this browser') : button('Sign out', 'plain', () => end(id)),
    },
  ];
  const part = new Part(async () => {
    const { items } = await client.account.sessions();
    return [table('Sessions', columns, items, 'Nowhere.')];
  }, onSignedOut);
  const everywhere = button('Sign out everywhere', 'plain', () =>
    ask({
      title: 'Sign out everywhere?',
      text: 'Every browser has to sign in again, this one too. Your API keys stay good.',
      confirm: 'Sign out everywhere',
      act: async () => {
        await client.account.signOutEverywhere();
        onSignedOut();
      },
    }),
  );
  // What the button of the top line does, for who has no room for it there.
  const here = button('Sign out', 'plain', () => element('sign-out', HTMLButtonElement).click());
  return panel('Signed in', part.element, box('div', 'actions', here, everywhere));
}

function password({ client, account }: SettingsContext): HTMLElement {
  const [old, next] = [knownPassword('Password now'), newPassword('new_password', 'New password')];
  const form = new Form({
    fields: [old, next],
    more: [ownName(account.name)],
    submit: 'Change password',
    send: async () => {
      const { sessions_ended } = await client.account.changePassword({
        password: old.value,
        new_password: next.value,
      });
      form.reset();
      const others = sessions_ended === 0 ? '' : ' Your other sessions were signed out.';
      form.say(`Your password is changed.${others}`, 'good');
    },
  });
  return panel('Password', form.element);
}

function leaving({ client, account, onSignedOut }: SettingsContext): HTMLElement {
  if (account.owner) {
    return panel('Delete account', make('p', 'intro', 'The account that owns the service cannot be deleted.'));
  }
  const known = knownPassword('Your password, to be sure');
  const form = new Form({
    fields: [known],
    more: [ownName(account.name)],
    submit: 'Delete my account…',
    tone: 'danger',
    send: async () =>
      ask({
        title: 'Delete your account for good?',
        text: `Nobody can bring ${account.name} back, and nobody will get the name again.`,
        confirm: 'Delete for good',
        act: async () => {
          try {
            await client.account.delete({ password: known.value });
            onSignedOut();
          } catch (error) {
            // What is wrong is the password, which stands in the form behind the question.
            form.refuse(error);
          }
        },
      }),
  });
  const what =
    'Your keys and sessions end at once, and your password and usage are removed. Signals you published stay in the log, without your name.';
  return panel('Delete account', make('p', 'intro', what), form.element);
}
