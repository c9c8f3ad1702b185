// On a phone there is room for one thing below the chart: which one is chosen here, and choosing it again leaves the chart
// alone. The style sheet goes by the attribute of the desk; on wider screens all stand there, and these buttons do not.
import { box, button } from '../elements.ts';

type Below = 'watchlist' | 'flow' | 'headlines' | 'none';

const TITLES: readonly (readonly [Below, string])[] = [
  ['watchlist', 'Watchlist'],
  ['flow', 'Order flow'],
  ['headlines', 'Headlines'],
];

export function tabsBelow(desk: HTMLElement): HTMLElement {
  const tabs = TITLES.map(([below, title]) => ({
    below,
    tab: button(title, 'timeframe', () => show(desk.dataset.below === below ? 'none' : below)),
  }));
  const show = (chosen: Below): void => {
    desk.dataset.below = chosen;
    for (const { below, tab } of tabs) tab.setAttribute('aria-pressed', String(below === chosen));
  };
  show('watchlist');
  const line = box('div', 'panel-tabs', ...tabs.map(({ tab }) => tab));
  line.setAttribute('role', 'group');
  line.setAttribute('aria-label', 'Below the chart');
  return line;
}
