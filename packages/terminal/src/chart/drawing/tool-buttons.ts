// The tools that draw: their names, icons and buttons, which the chart shows before the tools are loaded.
import { make, makeButton } from '../../ui/dom/elements.ts';
import { lineIcon } from '../frame/chart-icons.ts';

/** Tools of the menu. `measure` leaves nothing behind; a long and a short position are one kind. */
export const TOOLS = [
  ['line', 'Trend line'],
  ['ray', 'Ray'],
  ['horizontal', 'Horizontal line'],
  ['vertical', 'Vertical line'],
  ['rectangle', 'Rectangle'],
  ['channel', 'Parallel channel'],
  ['fibonacci', 'Fibonacci retracement'],
  ['long', 'Long position'],
  ['short', 'Short position'],
  ['text', 'Text'],
  ['measure', 'Measure'],
] as const;
export type Tool = (typeof TOOLS)[number][0];
const NAMES: ReadonlyMap<string, string> = new Map(TOOLS);

export const toolName = (tool: Tool): string => NAMES.get(tool)!;

/** Lines of the icons, in a square of sixteen. */
const ICONS: Readonly<Record<Tool, string>> = {
  line: 'M2 13 14 3',
  ray: 'M2 13 14 3M10 3h4v4',
  horizontal: 'M1 8h14M6 6v4',
  vertical: 'M8 1v14M6 8h4',
  rectangle: 'M2 4h12v8H2z',
  channel: 'M1 10 12 2M4 14 15 6',
  fibonacci: 'M2 2h12M2 6h12M2 9h12M2 14h12',
  long: 'M2 9h12M2 2h12v7M2 9v4h12',
  short: 'M2 7h12M2 14h12V7M2 7V3h12',
  text: 'M3 3h10M8 3v10',
  measure: 'M2 11 11 2l3 3-9 9zM5 8l2 2M8 5l2 2',
};

const BESIDE_NAME = 'quiet drawing-tool bare line';
const ALONE = 'timeframe chart-choice chart-icon-button';

/** A button for each tool, with its name or with an icon only. */
export function toolButtons(choose: (tool: Tool) => void, withNames: boolean): readonly HTMLButtonElement[] {
  return TOOLS.map(([tool, name]) => {
    const attributes = withNames
      ? { class: BESIDE_NAME }
      : { class: ALONE, title: name, 'aria-label': name, 'aria-pressed': 'false', 'data-tool': tool };
    const button = makeButton('', attributes, () => choose(tool));
    button.append(lineIcon(ICONS[tool], 'drawing-icon'), ...(withNames ? [make('span', {}, name)] : []));
    return button;
  });
}
