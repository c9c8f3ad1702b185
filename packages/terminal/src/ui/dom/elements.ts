// Creates and finds elements, for panels that draw themselves.
import { type Sign, signOf } from '../format.ts';

export function element<T extends Element>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} with the id ${id}`);
}

type Attributes = Readonly<Record<string, string | number>>;

/** An element with its class, or with several attributes, and children. Strings become text nodes. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: string | Attributes = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  const named = typeof attributes === 'string' ? { class: attributes } : attributes;
  for (const [name, value] of Object.entries(named)) made.setAttribute(name, String(value));
  made.append(...inside);
  return made;
}

export function makeButton(text: string, attributes: string | Attributes, onClick: () => void): HTMLButtonElement {
  const made = make('button', attributes, text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

/** A link to a page of the guide, which opens beside the terminal. `page`: its path, such as `order-flow#delta`. */
export const guideLink = (page: string, text: string): HTMLElement =>
  make('a', { class: 'inline-link', href: `/guide/${page}`, target: '_blank', rel: 'noopener noreferrer' }, text);

/** Writes only changed text, into the existing text node: this avoids layouts and new nodes. */
export function write(target: Element, text: string): void {
  const { firstChild } = target;
  if (firstChild instanceof Text && firstChild === target.lastChild) {
    if (firstChild.data !== text) firstChild.data = text;
  } else if (target.textContent !== text) target.textContent = text;
}

/** Writes a figure and its sign, which the style sheet colours. */
export function writeSigned(target: HTMLElement, text: string, sign: Sign = signOf(text)): void {
  write(target, text);
  if (target.dataset.sign !== sign) target.dataset.sign = sign;
}
