// Instruments that venues list: found and added by operators while the service runs.
import { z } from 'zod';
import { ItemCount, namedObject, namedStrict, nullable, SymbolCode, text } from '../common/values.ts';

/** In place of the name of a venue: each configured one. */
export const ALL_VENUES = 'all';
const MAX_CODE = 64;

const searchText = (description: string) =>
  z
    .string()
    .max(MAX_CODE)
    .meta({ description, allowed: `a text of up to ${MAX_CODE} characters` });

export const VenueInstrumentsQuery = z.object({
  q: searchText('Part of a symbol or name').default(''),
});
export type VenueInstrumentsQuery = z.infer<typeof VenueInstrumentsQuery>;

export const VenueInstrument = namedObject('VenueInstrument', 'A listed instrument', () => ({
  venue: text('Venue'),
  symbol: SymbolCode,
  name: text('Name'),
  type: text('Class'),
  last_price: nullable(z.number(), 'Last price, if listed'),
  added: z.boolean().meta({ description: 'Whether the service has it' }),
}));
export type VenueInstrument = z.infer<typeof VenueInstrument>;

export const VenueInstrumentList = namedObject('VenueInstrumentList', 'What venues list', () => ({
  items: z.array(VenueInstrument).meta({ description: 'Items' }),
  count: ItemCount,
  unavailable: z.array(z.string()).meta({ description: 'Venues not reached' }),
}));
export type VenueInstrumentList = z.infer<typeof VenueInstrumentList>;

export const InstrumentRequest = namedStrict('InstrumentRequest', 'What to add', () => ({
  venue: searchText('Venue'),
  symbol: searchText('Symbol'),
}));
export type InstrumentRequest = z.infer<typeof InstrumentRequest>;
