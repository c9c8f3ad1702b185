// Creates and finds elements, for panels that draw themselves.

export function element<T extends Element>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} with the id ${id}`);
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  text = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

/** An element with children. Strings become text nodes. */
export function box<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = make(tag, className);
  made.append(...inside);
  return made;
}

export function link(text: string, href: string, className = ''): HTMLAnchorElement {
  const made = make('a', className, text);
  made.href = href;
  return made;
}

export function button(text: string, className: string, onClick: () => void): HTMLButtonElement {
  const made = make('button', className, text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}

/** Writes only changed text, into the existing text node: this avoids layouts and new nodes. */
export function write(target: Element, text: string): void {
  const { firstChild } = target;
  if (firstChild instanceof Text && firstChild === target.lastChild) {
    if (firstChild.data !== text) firstChild.data = text;
  } else if (target.textContent !== text) target.textContent = text;
}
