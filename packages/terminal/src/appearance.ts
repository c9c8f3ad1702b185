// Dark, light, or as the system wants it. The style sheet goes by the attribute; what draws on a canvas hears the event.
import { preferences } from './preferences.ts';
import { THEME_EVENT } from './theme.ts';

/** `--panel` of the style sheet, which may not have come yet when this is set. */
export const FRAME = { dark: '#10141b', light: '#ffffff' } as const;

/** To be called before anything is shown: nobody who chose light is to see a dark page first. */
export function applyAppearance(): void {
  preferences.follow(globalThis);
  preferences.onChange(new AbortController().signal, show);
  show();
}

function show(): void {
  const { appearance } = preferences.choices;
  const root = document.documentElement;
  const wanted = appearance === 'system' ? undefined : appearance;
  if (root.dataset.theme === wanted) return;
  if (wanted === undefined) delete root.dataset.theme;
  else root.dataset.theme = wanted;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) colourFrame(meta, wanted);
  document.dispatchEvent(new Event(THEME_EVENT));
}

/** The browser's own frame has the colour of the top line. There is a colour for each wish of the system; a choice takes both. */
function colourFrame(meta: HTMLMetaElement, wanted: 'dark' | 'light' | undefined): void {
  meta.content = FRAME[wanted ?? (meta.media.includes('light') ? 'light' : 'dark')];
}
