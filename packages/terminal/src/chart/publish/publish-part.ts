// Publishing a signal from the chart. The code behind the button is loaded when it is used.
import { makeButton } from '../../ui/dom/elements.ts';
import { price as priceText } from '../../ui/format.ts';
import type { ChartHost, ChartPart } from '../frame/chart-part.ts';
import type { PublishLevels } from '../frame/publish-levels.ts';
import type { PublishTicket } from './publish-ticket.ts';

export function newPublishing(host: ChartHost): ChartPart {
  if (!host.mayPublish) return {};
  let ticket: PublishTicket | null = null;
  const open = async (from: number | PublishLevels | null): Promise<void> => {
    const symbol = host.market()?.instrument.symbol;
    try {
      const { PublishTicket, startOf } = await import('../lazy-parts.ts');
      if (host.signal.aborted || symbol !== host.market()?.instrument.symbol) return;
      ticket?.close();
      const start = startOf(host, from);
      if (!start) {
        host.services.notifier.show('There is no price yet. Try again in a moment.');
        return;
      }
      ticket = new PublishTicket(host, start, () => {
        ticket = null;
        button.setAttribute('aria-pressed', 'false');
      });
      button.setAttribute('aria-pressed', 'true');
    } catch {
      host.services.notifier.show('The form could not be loaded. Try again.');
    }
  };
  const [name, what] = host.services.isReplay ? ['Practice', 'Practice signal'] : ['Publish', 'Publish a signal'];
  const button = makeButton(name, { class: 'timeframe chart-choice', title: what }, () => {
    if (ticket) ticket.close();
    else void open(null);
  });
  button.setAttribute('aria-pressed', 'false');
  host.addTool(button);
  let opened: string | undefined;
  return {
    open: ({ instrument: { symbol } }) => {
      if (symbol !== opened) ticket?.close();
      opened = symbol;
    },
    onTop: true,
    press: (point, event) => ticket?.press(point, event) ?? false,
    menu: ({ price }) => [
      {
        text: `${what} here… (${priceText(price, host.market()?.digits ?? 2)})`,
        run: () => void open(price),
      },
    ],
    publish: (levels) => void open(levels),
    applyTheme: () => ticket?.applyTheme(),
  };
}
