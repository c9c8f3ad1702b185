// Two track records for tests, from the examples of the contract: one with four ranked signals whose figures follow from its
// equity curve, and one that has just begun.
import { PUBLISHER_EXAMPLE, TRACK_RECORD_EXAMPLES } from '@tickwire/contract';

export const GOLDSMITH = PUBLISHER_EXAMPLE;
export const NORTH_DESK = TRACK_RECORD_EXAMPLES.find(({ name }) => name === 'north-desk')!;
