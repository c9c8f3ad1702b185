// A key or a link that is shown this once: large enough to see, one click to copy, gone when the page is left.
import { copyButton } from '../copying.ts';
import { box, button, make } from '../elements.ts';

/** `more` stands below it; `onDone`: it was taken off the page. */
export function issuedSecret(
  title: string,
  secret: string | null,
  text: string,
  { more = [], onDone }: { readonly more?: readonly Node[]; readonly onDone?: () => void } = {},
): HTMLElement {
  const shown = make('code', 'secret', secret ?? '');
  shown.tabIndex = 0;
  const done = button('Done', 'quiet', () => {
    card.remove();
    onDone?.();
  });
  const inside =
    secret === null
      ? [make('p', '', 'It was shown before, and cannot be shown again. Make another one.'), done]
      : [
          make('p', '', text),
          box(
            'div',
            'secret-line',
            shown,
            copyButton(shown, () => secret),
            done,
          ),
          ...more,
        ];
  const card = box('div', 'issued', make('h2', '', title), ...inside);
  card.setAttribute('role', 'status');
  return card;
}
