export { type House, type HouseOptions, startHouse } from './house.ts';
export { type Counts, Publisher, type PublisherOptions, type Trouble } from './publisher.ts';
export { STRATEGIES, type StrategyName } from './strategies/index.ts';
export type { Bar, Idea, Look, Strategy } from './strategy.ts';
