export { type PublisherCounts, type PublisherFailure, type PublisherOptions, StrategyPublisher } from './publisher.ts';
export { type RunningPublishers, type StartOptions, startPublishers } from './start-publishers.ts';
export { STRATEGIES, type StrategyName } from './strategies/index.ts';
export type { MarketSnapshot, PriceBar, Strategy, TradeIdea } from './strategies/strategy.ts';
