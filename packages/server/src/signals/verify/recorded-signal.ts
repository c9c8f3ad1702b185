// One signal as the log records it. Checks of each record what its own fields and the records before it show; whether the events
// in the records lead to them is checked in evidence-check.ts.
import type {
  AmendedRecord,
  ClosedRecord,
  CloseRequestedRecord,
  Evidence,
  ExitedRecord,
  FilledRecord,
  PublishedRecord,
} from '@tickwire/contract';
import { barEnd, type Order } from '@tickwire/engine';
import { epoch } from '../log-records.ts';
import { publishedTargets, type SignalHistory, toOrder } from '../signal-history.ts';
import { checkAmendment, checkCloseRequest, checkPublication } from './acceptance-check.ts';
import { describeEvidence, isPrice, isValidEvidence } from './evidence-text.ts';
import type { ReportFault } from './findings.ts';

/** A record that follows from an event of the market. */
export type DecidedRecord = FilledRecord | ExitedRecord | ClosedRecord;
export type FollowingRecord = DecidedRecord | AmendedRecord | CloseRequestedRecord;

export const evidenceOf = (record: DecidedRecord): Evidence =>
  record.type === 'filled' ? record.filled : record.decided;

export class RecordedSignal implements SignalHistory {
  readonly published: PublishedRecord;
  readonly order: Order;
  /** All records but the publication and a void, in order. */
  readonly records: FollowingRecord[] = [];
  filled: FilledRecord | null = null;
  readonly exits: ExitedRecord[] = [];
  readonly amendments: AmendedRecord[] = [];
  closeRequest: CloseRequestedRecord | null = null;
  /** `null` while the signal is active, and if it was voided while it was active. */
  closed: ClosedRecord | null = null;
  /** It was voided while it was active. */
  isVoided = false;
  /** A fault was found: it is not judged again. */
  unsound = false;

  constructor(record: PublishedRecord, fault: ReportFault) {
    this.published = record;
    this.order = toOrder(record);
    checkPublication(record, this.order, fault);
  }

  /** Whether an event closed it, and not its deadline. */
  get isClosedByEvent(): boolean {
    const { closed, published, order } = this;
    if (!closed || closed.reason === 'expired') return false;
    if (closed.reason !== 'unfilled' || closed.closed_at !== published.entry_deadline) return true;
    // A minute may end with the deadline. It always decides a market order (J12).
    const { decided } = closed;
    return order.maxSlippage !== null && decided.kind === 'bar' && barEnd(epoch(decided.time)) === order.entryDeadline;
  }

  /** Quotes and events in the records, each with the record that names it. */
  *evidence(): Generator<Evidence, void> {
    yield this.published.quote;
    for (const record of this.records)
      yield record.type === 'amended' || record.type === 'close_requested' ? record.quote : evidenceOf(record);
  }

  add(record: FollowingRecord, fault: ReportFault): void {
    switch (record.type) {
      case 'filled':
        if (this.filled) {
          fault('record_order', 'it was already filled');
          return;
        }
        this.#checkPrices(record, [record.entry_price], [record.filled], fault);
        this.filled = record;
        break;
      case 'exited':
        if (!this.#isNextTarget(record, fault)) return;
        this.#checkPrices(record, [record.price], [record.decided], fault);
        this.exits.push(record);
        break;
      case 'amended':
        if (this.#checkPrices(record, [record.stop_loss], [record.quote], fault) && !this.unsound) {
          this.#checkQuote(record.quote, fault);
          checkAmendment(this, record, fault);
        }
        this.amendments.push(record);
        break;
      case 'close_requested':
        if (this.#checkPrices(record, [], [record.quote], fault) && !this.unsound) {
          this.#checkQuote(record.quote, fault);
          checkCloseRequest(this, record, fault);
        }
        this.closeRequest ??= record;
        break;
      case 'closed':
        this.#checkClosing(record, fault);
        this.closed = record;
    }
    this.records.push(record);
  }

  #isNextTarget({ target }: ExitedRecord, fault: ReportFault): boolean {
    const [reached, count] = [this.exits.length, publishedTargets(this.published).length];
    if (!this.filled) fault('record_order', `target ${target} was reached before the entry was filled`);
    else if (target !== reached + 1 || target >= count)
      fault('record_order', `target ${target} cannot exit after ${reached} of ${count}`);
    else return true;
    return false;
  }

  #checkClosing(r: ClosedRecord, fault: ReportFault): void {
    const { instrument } = this.published;
    if (r.instrument.digits !== instrument.digits || r.instrument.pip_size !== instrument.pip_size)
      fault('belongs', 'digits or pip_size differ from the publication');
    if ((r.gap_from === undefined) !== (r.gap_to === undefined) || (r.gap_from ?? '') > (r.gap_to ?? ''))
      fault('gap', 'gap_from and gap_to are not a valid period');
    // The mean of several exits has more decimals. It is recomputed.
    const prices = [r.entry_price, r.last_exit?.price ?? null].filter((price) => price !== null);
    this.#checkPrices(r, prices, r.filled ? [r.filled, r.decided] : [r.decided], fault);
    if (r.filled && !this.filled) fault('fill', 'the log has no record of the fill');
  }

  #checkPrices(
    { symbol }: { readonly symbol: string },
    prices: readonly number[],
    evidence: readonly Evidence[],
    fault: ReportFault,
  ): boolean {
    const { digits } = this.published.instrument;
    const valid = prices.every((price) => isPrice(price, digits)) && evidence.every((e) => isValidEvidence(e, digits));
    if (!valid) fault('price', `a price in it does not fit ${symbol}, which has ${digits} decimals`);
    return valid;
  }

  /** A standing quote is not older than the quotes in the records before. */
  #checkQuote(quote: Evidence, fault: ReportFault): void {
    let newest = this.published.quote.seq;
    for (const e of this.evidence()) if (e.kind === 'quote' && e.seq > newest) newest = e.seq;
    if (quote.seq < newest) fault('evidence_order', `${describeEvidence(quote)} is older than quote ${newest}`);
  }
}
