// The colours of the canvases are those of the style sheet, read again when the system changes between dark and light.

export interface Palette {
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly up: string;
  readonly down: string;
  readonly accent: string;
  readonly raised: string;
  readonly font: string;
}

let palette: Palette | null = null;

export function currentPalette(): Palette {
  if (palette) return palette;
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  palette = {
    text: read('text'),
    muted: read('muted'),
    line: read('line'),
    up: read('up'),
    down: read('down'),
    accent: read('accent'),
    raised: read('raised'),
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
  };
  return palette;
}

export function onThemeChange(signal: AbortSignal, listener: () => void): void {
  const forget = (): void => {
    palette = null;
    listener();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', forget, { signal });
}
