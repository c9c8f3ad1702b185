// Icons of the toolbar, drawn with lines in a square of 16.

const PATHS = {
  type: 'M4 2v3M4 11v3M2.5 5h3v6h-3zM11.5 1v4M11.5 10v4M10 5h3v5h-3z',
  undo: 'M6 3 3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H6',
  redo: 'm10 3 3 3-3 3M13 6H6.5a3.5 3.5 0 0 0 0 7H10',
  date: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  save: 'M8 2v8M5 7l3 3 3-3M2.5 11v2.5h11V11',
  fullscreen: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  more: 'm4 6 4 4 4-4',
  tools: 'M2 8h1M7.5 8h1M13 8h1',
  draw: 'M3 13l.7-3L11 2.7 13.3 5 6 12.3z',
} as const;

export type IconName = keyof typeof PATHS;

const SVG = 'http://www.w3.org/2000/svg';

export const icon = (name: IconName): SVGElement => lineIcon(PATHS[name], 'chart-icon');

/** `lines`: the path, in a square of 16. */
export function lineIcon(lines: string, className: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', className);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', lines);
  svg.append(path);
  return svg;
}
