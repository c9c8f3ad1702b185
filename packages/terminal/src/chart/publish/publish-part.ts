// Publishing a signal from the chart. The code behind the button is loaded when it is used.
import { makeButton } from '../../ui/dom/elements.ts';
import { price as priceText } from '../../ui/format.ts';
import type { ChartHost, ChartPart } from '../frame/chart-part.ts';
import type { PublishTicket } from './publish-ticket.ts';

export function newPublishing(host: ChartHost): ChartPart {
  if (!host.publish) return {};
  let ticket: PublishTicket | null = null;
  const open = async (price: number | null): Promise<void> => {
    const symbol = host.market()?.instrument.symbol;
    try {
      const { PublishTicket } = await import('../lazy-parts.ts');
      if (host.signal.aborted || symbol !== host.market()?.instrument.symbol) return;
      ticket ??= new PublishTicket(host, () => button.setAttribute('aria-pressed', 'false'));
    } catch {
      host.services.notifier.show('The form could not be loaded. Try again.');
      return;
    }
    ticket.open(price);
    button.setAttribute('aria-pressed', String(ticket.isOpen));
  };
  const button = makeButton('Publish', { class: 'timeframe chart-choice', title: 'Publish a signal' }, () => {
    if (ticket?.isOpen) ticket.close();
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
    press: (point, event) => ticket?.press(point, event) ?? false,
    menu: ({ price }) => [
      {
        text: `Publish a signal here… (${priceText(price, host.market()?.digits ?? 2)})`,
        run: () => void open(price),
      },
    ],
    applyTheme: () => ticket?.applyTheme(),
  };
}
