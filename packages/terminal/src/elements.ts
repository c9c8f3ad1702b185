// Typed access to the page's own elements. A missing one is a fault of the page, so it says so at once.

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

/** Writes only what differs: the same text again would still cost a layout. */
export function write(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
