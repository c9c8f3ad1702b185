// Two track records for the tests, from the examples of the contract: one of four ranked signals whose figures follow from its
// course, and one that has just begun.
import { PUBLISHER_EXAMPLE, TRACK_RECORD_EXAMPLES } from '@tickwire/contract';

export const GOLDSMITH = PUBLISHER_EXAMPLE;
export const NORTH_DESK = TRACK_RECORD_EXAMPLES.find(({ name }) => name === 'north-desk')!;
