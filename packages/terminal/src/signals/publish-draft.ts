// The form to publish a signal, as it was left: kept for the tab, so that it survives other pages and a reload. Other pages, such
// as the chart, can fill it in. Empty values are left out.
import type { SignalDraft } from '../services/placed-forms.ts';
import type { Navigator } from '../services/terminal-services.ts';
import { plainNumber } from '../ui/format.ts';
import { type RecordStorage, readRecord, storeRecord } from '../ui/stored-record.ts';

const NAME = 'tickwire.publish';
/** Written by the markets page: the instrument in view. */
const MARKET = 'tickwire.market';

export const MOST_TARGETS = 5;
const NUMBERS = Array.from({ length: MOST_TARGETS }, (_, index) => index + 1);
/** Names of the fields, as in the form. */
const TYPED = ['entry', 'max_slippage', 'stop_loss', ...NUMBERS.map((number) => `target_${number}`), 'note'];
const PARTS = [...NUMBERS.map((number) => `fraction_${number}`), 'breakeven_after'];
export const DRAFT_FIELDS: readonly string[] = ['symbol', 'direction', 'order', 'expires_at', ...TYPED, ...PARTS];
const LONGEST = 500;

/** The typed texts by the name of their field. */
export type DraftValues = Readonly<Record<string, string>>;

export interface PublishDraft {
  readonly values: DraftValues;
  /** Number of targets in the form. */
  readonly targets: number;
}

export const EMPTY_DRAFT: PublishDraft = { values: {}, targets: 1 };

/** If the browser stores nothing, a draft lasts until the page is closed. */
let unstored: PublishDraft | null = null;

export function readDraft(storage: RecordStorage = sessionStorage): PublishDraft {
  if (unstored !== null) return unstored;
  const { values, targets } = readRecord(storage, NAME);
  const known = Object.entries(Object(values) as Record<string, unknown>).flatMap(([name, value]) =>
    DRAFT_FIELDS.includes(name) && typeof value === 'string' ? [[name, value.slice(0, LONGEST)] as const] : [],
  );
  const count = Number(targets);
  return {
    values: Object.fromEntries(known),
    targets: Number.isInteger(count) && count >= 1 && count <= MOST_TARGETS ? count : 1,
  };
}

export function storeDraft(draft: PublishDraft, storage: RecordStorage = sessionStorage): void {
  unstored = storeRecord(storage, NAME, draft) ? null : draft;
}

/** Whether anything was typed that a new start would lose. */
export const hasContent = ({ values }: PublishDraft): boolean => TYPED.some((name) => (values[name] ?? '') !== '');

/** Another number of targets: their parts start over. */
export function withTargets({ values }: PublishDraft, targets: number): PublishDraft {
  const kept = Object.entries(values).filter(
    ([name]) => !PARTS.includes(name) && !(name.startsWith('target_') && Number(name.slice(7)) > targets),
  );
  return { values: Object.fromEntries(kept), targets };
}

/** The draft that the form starts with. An address such as `?symbol=EURUSD` starts over if the draft is of another instrument. */
export function startingDraft(
  search: string,
  session: RecordStorage = sessionStorage,
  local: RecordStorage = localStorage,
): PublishDraft {
  const query = new URLSearchParams(search);
  const named = query.get('symbol')?.toUpperCase();
  const draft = readDraft(session);
  if (hasContent(draft) && (named === undefined || named === draft.values.symbol)) return draft;
  const seen = readRecord(local, MARKET).symbol;
  const symbol = named ?? (typeof seen === 'string' ? seen : undefined);
  const direction = query.get('direction');
  return {
    ...EMPTY_DRAFT,
    values: { ...(symbol !== undefined && { symbol }), ...(direction !== null && { direction }) },
  };
}

/** A price as a person types it, without the noise of binary fractions. */
const typed = (price: number): string => plainNumber(Number(price.toPrecision(12)));

/** Equal parts in whole percent; the last one takes what is left: 33, 33, 34. */
export const partOf = (number: number, count: number): string => {
  const part = Math.floor(100 / count);
  return String(number === count ? 100 - part * (count - 1) : part);
};

/** The levels as the form has them, with equal parts of the position for all targets. */
export function draftOf({ symbol, direction, entry, stop, targets, texts }: SignalDraft): PublishDraft {
  const prices = targets.slice(0, MOST_TARGETS);
  return {
    targets: Math.max(1, prices.length),
    values: {
      symbol,
      direction,
      ...(entry === undefined ? { order: 'market' } : { entry: typed(entry) }),
      stop_loss: typed(stop),
      ...Object.fromEntries(
        prices.flatMap((price, index) => [
          [`target_${index + 1}`, typed(price)],
          [`fraction_${index + 1}`, partOf(index + 1, prices.length)],
        ]),
      ),
      ...texts,
    },
  };
}

/** Opens the form with these levels, for review and publication. What was in the form before is replaced. */
export function openPublishForm(navigator: Navigator, draft: SignalDraft): void {
  storeDraft(draftOf(draft));
  navigator.go('/signals/new');
}
