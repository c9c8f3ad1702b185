// Forms of other pages that the chart shows beside it, so that nobody has to leave the chart. They are loaded when they are opened.
import type { SignalRequest } from '@tickwire/client';

/** What the form of an alert starts with. */
export interface AlertStart {
  readonly symbol: string;
  /** The alert to change; without it, a new one. */
  readonly id?: string;
  /** Texts of the fields of a new alert by their names, as in the address `/alerts/new?level=1.085`. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** A signal before it is published. */
export interface SignalDraft {
  readonly symbol: string;
  readonly direction: 'buy' | 'sell';
  /** Without it, a market order. */
  readonly entry?: number;
  readonly stop: number;
  /** One to five prices, nearest first. */
  readonly targets: readonly number[];
  /** Texts of other fields of the form by their names, such as `note`. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** The signal of one form, however often it is reviewed and sent. */
export interface SignalAttempt {
  /**
   * The request to review, as `build` makes it of the form at a time. While it is unknown whether a request was published, the same
   * form gives the same request, with the same expiry.
   */
  request(build: (now: number) => SignalRequest | null): SignalRequest | null;
  /** Returns the id of the signal. */
  publish(request: SignalRequest): Promise<string>;
}

export interface ReviewEnd {
  readonly back: () => void;
  /** An error that it throws is shown in the review. */
  readonly publish: (request: SignalRequest) => Promise<void>;
}

/** What a position size is computed from; `null` while it is not known. */
export interface SizedLevels {
  readonly symbol: string;
  readonly entry: number | null;
  readonly stop: number | null;
}

export interface PlacedSize {
  show(levels: SizedLevels): void;
  remove(): void;
}

export interface ExpiryChoice {
  /** Hours; '' for the default. */
  readonly value: string;
  readonly text: string;
}

/** `alert` and `review` show their form in an element and return a function that removes it. */
export interface PlacedForms {
  alert(into: HTMLElement, start: AlertStart, onEnd: (saved: boolean) => void): Promise<() => void>;
  /** What would be published, with the button that publishes it. */
  review(into: HTMLElement, draft: SignalDraft, attempt: SignalAttempt, end: ReviewEnd): Promise<() => void>;
  attempt(): Promise<SignalAttempt>;
  /** How many lots the stop allows. */
  size(into: HTMLElement): Promise<PlacedSize>;
  /** When a signal may expire. `isMarketOrder`: it has no price. */
  expiries(isMarketOrder: boolean): Promise<readonly ExpiryChoice[]>;
  /** Opens the page of the form with these levels. What was in the form before is replaced. */
  publishPage(draft: SignalDraft): Promise<void>;
}
