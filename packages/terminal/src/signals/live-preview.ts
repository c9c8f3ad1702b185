// How the market would take a new signal now, as texts that change with every quote: for the form and for the review.
import { signal } from '@preact/signals';
import type { QuoteBoard } from '../services/quote-board.ts';
import { NO_VALUE } from '../ui/format.ts';
import { marketOf } from './levels.ts';
import { PREVIEW, previewTexts, remarksOn } from './publish-preview.ts';
import { checkTicket, type Ticket, type TicketCheck } from './ticket.ts';

/** The age of the last quote grows without one. */
const LOOK_MS = 1_000;

export class LivePreview {
  /** In the order of `PREVIEW`. Bound to their texts: a tick changes them without rendering the page. */
  readonly texts = PREVIEW.map(() => signal<string>(NO_VALUE));
  /** One sentence per line. */
  readonly problems = signal('');
  readonly remarks = signal('');
  readonly order = signal<TicketCheck['order']>(null);
  readonly #quotes: QuoteBoard;

  constructor(quotes: QuoteBoard) {
    this.#quotes = quotes;
  }

  update(symbol: string, ticket: Ticket): TicketCheck {
    const market = marketOf(this.#quotes, symbol);
    const result = checkTicket(ticket, market);
    previewTexts(result, market).forEach((text, at) => {
      this.texts[at]!.value = text;
    });
    this.order.value = result.order;
    this.problems.value = [...result.problems.values()].join('\n');
    this.remarks.value = remarksOn(result, market, this.#quotes.ageMs(symbol)).join('\n');
    return result;
  }

  /** Calls `update` with every quote of the symbol, and once a second. */
  follow(symbolOf: () => string, update: () => void, end: AbortSignal): void {
    this.#quotes.onChange((changed) => {
      if (changed.has(symbolOf())) update();
    }, end);
    const timer = setInterval(update, LOOK_MS);
    end.addEventListener('abort', () => clearInterval(timer));
  }
}
