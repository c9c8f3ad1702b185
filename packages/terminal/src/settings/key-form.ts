// The form for a new key: what it is for, what it may do, how long.
import type { IssuedKey, KeyInfo } from '@tickwire/client';
import { box, make } from '../elements.ts';
import { Field } from '../forms/field.ts';
import { Form } from '../forms/form.ts';
import type { SettingsContext } from './section.ts';

type Scope = KeyInfo['scopes'][number];

const MEANING: Readonly<Record<Scope, string>> = {
  read: 'markets, signals and news, over REST and streams',
  publish: 'publish and close signals under your name',
  hook: 'publish through a TradingView address, and nothing else',
  ingest: 'bring quotes, trades and news of your own',
  admin: 'accounts, invitations, feeds and keys',
};

const EXPIRIES = [
  { value: '90', text: 'in 90 days' },
  { value: '30', text: 'in 30 days' },
  { value: '365', text: 'in a year' },
  { value: '', text: 'never' },
] as const;

export function keyForm({ client, account }: SettingsContext, onIssued: (key: IssuedKey) => void): HTMLElement {
  const name = Field.input({
    name: 'name',
    label: 'Name',
    hint: 'What it is for, such as “night bot”.',
    maxLength: 48,
  });
  const expiry = Field.select({ name: 'expires_days', label: 'Expires' }, EXPIRIES);
  const scopes = account.key_scopes.map(scopeBox);
  const chosen = () => scopes.filter(({ input }) => input.checked).map(({ scope }) => scope);
  const legend = make('legend', '', 'It may');
  const form = new Form({
    fields: [name, expiry],
    more: [box('fieldset', 'scopes', legend, ...scopes.map(({ label }) => label))],
    submit: 'Create key',
    send: async () => {
      const expires_days = expiry.value === '' ? null : Number(expiry.value);
      if (chosen().length === 0) {
        form.say('Choose at least one thing that the key may do.', 'bad');
        return;
      }
      onIssued(await client.keys.create({ name: name.value, scopes: chosen(), expires_days }));
      form.reset();
    },
  });
  return form.element;
}

function scopeBox(scope: Scope) {
  const input = make('input', '');
  input.type = 'checkbox';
  input.defaultChecked = scope === 'read';
  const label = box('label', 'check', input, box('span', '', make('b', '', scope), ` ${MEANING[scope]}`));
  return { scope, input, label };
}
