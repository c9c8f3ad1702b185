// The two fields of a person's account, told to password managers as what they are.
import { Field } from '../forms/field.ts';

const NAME = { name: 'name', label: 'Name', autocomplete: 'username', maxLength: 48 } as const;

export const knownName = (): Field => Field.input(NAME);
export const newName = (hint: string): Field => Field.input({ ...NAME, hint });

export const knownPassword = (label = 'Password'): Field =>
  Field.input({ name: 'password', label, type: 'password', autocomplete: 'current-password' });

/** `name` as the request has it. */
export const newPassword = (name = 'password', label = 'Password'): Field =>
  Field.input({
    name,
    label,
    type: 'password',
    autocomplete: 'new-password',
    minLength: 10,
    hint: 'At least 10 characters. A few words in a row are easy to keep in mind and hard to guess.',
  });

/** Tells a password manager whose password a form is about, without asking for it. */
export function ownName(name: string): HTMLInputElement {
  const input = document.createElement('input');
  input.type = 'text';
  input.autocomplete = 'username';
  input.value = name;
  input.readOnly = true;
  input.hidden = true;
  return input;
}
