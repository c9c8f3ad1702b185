// When a signal expires, as the form offers it. An entry that the next quote fills waits a minute at most, whatever is chosen.
import type { ExpiryChoice } from '../services/placed-forms.ts';
import type { TicketCheck } from './ticket.ts';

/** The longest is slightly less than the 30 days that are allowed, because clocks differ. */
const CHOICES: readonly ExpiryChoice[] = [
  { value: '1', text: 'in 1 hour' },
  { value: '4', text: 'in 4 hours' },
  { value: '24', text: 'in 24 hours' },
  { value: '168', text: 'in 7 days' },
  { value: '719.9', text: 'in 30 days' },
];

/** `order`: as the market would take it now; `null` if that is not known. */
export const expiryChoices = (order: TicketCheck['order']): readonly ExpiryChoice[] => {
  const entry = order === null ? '24 h, or 60 s at the market' : order === 'market' ? '60 s' : '24 h';
  return [{ value: '', text: `default (entry ${entry}, trade 30 days)` }, ...CHOICES];
};
