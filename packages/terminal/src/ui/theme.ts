// Canvas colours, read from the style sheet, and again when the theme changes: by the system, or by the user's choice
// (`data-theme` of the document, announced with the event `tickwire:theme`).

export interface Palette {
  readonly panel: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly up: string;
  readonly down: string;
  readonly accent: string;
  readonly notice: string;
  readonly raised: string;
  readonly fontFamily: string;
  readonly font: string;
}

/** Dispatched on the document after `data-theme` was set or removed. */
export const THEME_EVENT = 'tickwire:theme';

let palette: Palette | null = null;

export function currentPalette(): Palette {
  if (palette) return palette;
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const { fontFamily } = getComputedStyle(document.body);
  palette = {
    panel: read('panel'),
    text: read('text'),
    muted: read('muted'),
    line: read('line'),
    up: read('up'),
    down: read('down'),
    accent: read('accent'),
    notice: read('notice'),
    raised: read('raised'),
    fontFamily,
    font: `11px ${fontFamily}`,
  };
  return palette;
}

/** A translucent version of a colour. Colours that are not written as #rrggbb stay opaque. */
export function faint(color: string, alpha = '66'): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? `${color}${alpha}` : color;
}

export function onThemeChange(signal: AbortSignal, listener: () => void): void {
  const refresh = (): void => {
    palette = null;
    listener();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', refresh, { signal });
  document.addEventListener(THEME_EVENT, refresh, { signal });
}
