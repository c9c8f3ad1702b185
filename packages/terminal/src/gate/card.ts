// What stands in the middle of the page before anybody is signed in: a title, a few words, a form.
import { box, element, make } from '../elements.ts';
import type { Form } from '../forms/form.ts';

export interface Card {
  readonly title: string;
  readonly intro?: string;
  readonly form?: Form;
  /** Other ways in. */
  readonly foot?: readonly (Node | string)[];
}

export function showCard({ title, intro, form, foot = [] }: Card): void {
  const card = box('div', 'card', make('h1', '', title));
  if (intro !== undefined) card.append(make('p', 'intro', intro));
  if (form) card.append(form.element);
  if (foot.length > 0) card.append(box('p', 'foot', ...foot));
  const gate = element('gate', HTMLElement);
  gate.replaceChildren(card);
  gate.hidden = false;
  document.title = `${title} · Tickwire`;
  form?.focus();
}

export function hideCard(): void {
  const gate = element('gate', HTMLElement);
  gate.hidden = true;
  // Nothing that was typed stays in the page.
  gate.replaceChildren();
}
