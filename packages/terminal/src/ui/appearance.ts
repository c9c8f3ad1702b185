// Dark, light, or the system's choice. The style sheet uses the attribute `data-theme`; canvases listen to the event.
import { preferences } from './preferences.ts';
import { THEME_EVENT } from './theme.ts';

/** `--panel` of the style sheet, which may not be loaded yet. */
export const FRAME = { dark: '#10141b', light: '#ffffff' } as const;

/** Call before the first paint, so that nobody who chose light sees a dark page first. */
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

/** Colours the browser's frame like the header. index.html has one meta element for each system theme; a choice sets both. */
function colourFrame(meta: HTMLMetaElement, wanted: 'dark' | 'light' | undefined): void {
  meta.content = FRAME[wanted ?? (meta.media.includes('light') ? 'light' : 'dark')];
}
