export * from './bars.ts';
export * from './brands.ts';
export * from './engine.ts';
export * from './events.ts';
export * from './flow.ts';
export * from './instrument.ts';
export * from './price.ts';
