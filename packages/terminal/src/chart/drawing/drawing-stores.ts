// One store for each instrument, for all charts of the page.
import { TickwireError } from '@tickwire/client';
import type { StoredDocuments } from '../../services/stored-documents.ts';
import type { ChartServices } from '../frame/chart-part.ts';
import { DrawingStore } from './drawing-store.ts';

const stores = new WeakMap<StoredDocuments, Map<string, DrawingStore>>();

type Services = Pick<ChartServices, 'documents' | 'notifier' | 'session'>;

export function storeOf({ documents, notifier, session }: Services, symbol: string): DrawingStore {
  const bySymbol = stores.get(documents) ?? new Map<string, DrawingStore>();
  stores.set(documents, bySymbol);
  const known = bySymbol.get(symbol);
  if (known) return known;
  const onFailure = (error: unknown): void => {
    if (error instanceof TickwireError) notifier.reportError(error, `Drawings of ${symbol}`);
    else notifier.show(`Drawings of ${symbol}: ${error instanceof Error ? error.message : 'not saved.'} Retrying.`);
  };
  const store = new DrawingStore({ documents, symbol, onFailure });
  session.signal.addEventListener('abort', () => store.close());
  bySymbol.set(symbol, store);
  return store;
}
