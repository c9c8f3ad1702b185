// Small conveniences of each page.

const COPIED_MS = 1_500;
/** Also read by the script in the head of each page. */
const LANGUAGE = 'tickwire.language';

/** Elements of one kind, in the order of the page. */
export const all = <E extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): E[] => [
  ...within.querySelectorAll<E>(selector),
];

/** An element with text. */
export function make<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  text = '',
  className = '',
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className !== '') element.className = className;
  return element;
}

/** Samples name the address that the page was loaded from. */
export function fillOrigins(): void {
  const { origin, protocol } = location;
  const texts: Readonly<Record<string, string>> = {
    http: origin,
    ws: origin.replace(/^http/, 'ws'),
    cookie: protocol === 'https:' ? '__Host-tickwire' : 'tickwire',
  };
  for (const element of all('[data-origin]')) element.textContent = texts[element.dataset.origin ?? ''] ?? '';
}

/** Problems link to `/docs#error-CODE`, which has a link to the page of errors. */
export function followErrorLink(): void {
  const follow = (): void => {
    const item = document.getElementById(location.hash.slice(1));
    if (item?.dataset.follow !== undefined) location.replace(item.querySelector('a')!.href);
  };
  follow();
  window.addEventListener('hashchange', follow);
}

export function collapseContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>('.contents');
  if (!contents || !matchMedia('(max-width: 899px)').matches) return;
  contents.open = false;
  contents.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('a')) contents.open = false;
  });
}

/** Buttons for the language of all samples of the reference. The style sheet shows the selected one. */
export function offerLanguages(): void {
  const root = document.documentElement;
  const buttons: HTMLButtonElement[] = [];
  const select = (language: string): void => {
    root.dataset.language = language;
    for (const each of buttons) each.setAttribute('aria-pressed', String(each.dataset.language === language));
  };
  for (const group of all('.languages')) {
    const bar = make('div', '', 'tabs');
    bar.setAttribute('role', 'group');
    bar.setAttribute('aria-label', 'Language');
    for (const sample of all('figure', group)) {
      const button = make('button', sample.querySelector('figcaption')!.textContent!);
      button.type = 'button';
      button.dataset.language = sample.dataset.language!;
      button.addEventListener('click', () => {
        const before = bar.getBoundingClientRect().top;
        select(button.dataset.language!);
        // Samples above it have another height in this language.
        scrollBy(0, bar.getBoundingClientRect().top - before);
        try {
          localStorage.setItem(LANGUAGE, button.dataset.language!);
        } catch {
          // Storage is disabled: the choice holds for this page.
        }
      });
      buttons.push(button);
      bar.append(button);
    }
    group.prepend(bar);
  }
  select(root.dataset.language ?? 'curl');
}

export function addCopyButtons(): void {
  if (!navigator.clipboard) return;
  for (const sample of all('.sample')) {
    const button = make('button', 'Copy', 'copy');
    button.type = 'button';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(sample.querySelector('code')!.textContent!);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, COPIED_MS);
    });
    sample.querySelector('figcaption')!.append(button);
  }
}
