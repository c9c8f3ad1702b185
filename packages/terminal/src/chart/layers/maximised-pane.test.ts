import { expect, test } from 'bun:test';
import { restorePanes, toggleMaximised } from './maximised-pane.ts';

const paneOf = (height: number) => ({
  height,
  getStretchFactor() {
    return this.height;
  },
  setStretchFactor(next: number) {
    this.height = next;
  },
});

const chartOf = (panes: ReturnType<typeof paneOf>[]) => {
  const marked: boolean[] = [];
  const parentElement = { toggleAttribute: (_name: string, on: boolean) => marked.push(on) };
  const chart = { panes: () => panes, chartElement: () => ({ parentElement }) as unknown as HTMLDivElement };
  return { chart, marked };
};

test('a pane is maximised, and all get their heights back', () => {
  const panes = [paneOf(1), paneOf(0.3), paneOf(0.2)];
  const { chart, marked } = chartOf(panes);
  toggleMaximised(chart, panes[1]!);
  const [prices, maximised, other] = panes.map(({ height }) => height);
  expect(maximised! / (prices! + other!)).toBeGreaterThan(1_000);
  // Meanwhile, one was removed and another one added.
  panes.splice(2, 1, paneOf(1e-9));
  toggleMaximised(chart, panes[1]!);
  expect(panes.map(({ height }) => height)).toEqual([1, 0.3, 0.25]);
  expect(restorePanes(chart)).toBe(false);
  // The legend of the prices is hidden meanwhile.
  expect(marked).toEqual([true, false]);
});

test('the only pane of a chart stays as it is', () => {
  const prices = paneOf(1);
  const { chart } = chartOf([prices]);
  toggleMaximised(chart, prices);
  expect([prices.height, restorePanes(chart)]).toEqual([1, false]);
});
