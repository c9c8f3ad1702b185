// The factors behind simulated prices, each with a daily volatility and an activity profile, and the weights of each asset. The
// value of an asset in US dollars is a base value times exp(Σ weight × factor), and a pair is the ratio of two assets, so
// EURJPY is EURUSD times USDJPY and related markets move together.
import type { ProfileName } from './activity-profile.ts';

export interface Factor {
  /** Standard deviation of a day's change, in percent. */
  readonly dailyPercent: number;
  readonly profile: ProfileName;
}

const factor = (dailyPercent: number, profile: ProfileName): Factor => ({ dailyPercent, profile });

export const FACTORS: ReadonlyMap<string, Factor> = new Map(
  Object.entries({
    USD: factor(0.32, 'europe'),
    EUR: factor(0.4, 'europe'),
    GBP: factor(0.3, 'europe'),
    CHF: factor(0.28, 'europe'),
    JPY: factor(0.5, 'asia'),
    AUD: factor(0.48, 'asia'),
    NZD: factor(0.28, 'asia'),
    CAD: factor(0.32, 'america'),
    XAU: factor(0.95, 'europe'),
    XAG: factor(1.2, 'europe'),
    COINS: factor(2.7, 'crypto'),
    BTC: factor(0.9, 'crypto'),
    ETH: factor(1.7, 'crypto'),
    SOL: factor(2.5, 'crypto'),
    BNB: factor(1.5, 'crypto'),
    XRP: factor(2.6, 'crypto'),
    ADA: factor(2.5, 'crypto'),
    DOGE: factor(2.8, 'crypto'),
    LTC: factor(2.2, 'crypto'),
    TETHER: factor(0.02, 'crypto'),
    SHARES: factor(0.9, 'america'),
    US500: factor(0.25, 'america'),
    NAS100: factor(0.45, 'america'),
    US30: factor(0.35, 'america'),
    GER40: factor(0.65, 'europe'),
    UK100: factor(0.5, 'europe'),
    JPN225: factor(0.85, 'asia'),
    OIL: factor(1.9, 'america'),
    USOIL: factor(0.4, 'america'),
    UKOIL: factor(0.4, 'europe'),
    NATGAS: factor(3.2, 'america'),
  }),
);

export interface Asset {
  readonly base: number;
  readonly weights: Readonly<Record<string, number>>;
}

const asset = (base: number, weights: Readonly<Record<string, number>>): Asset => ({ base, weights });

/**
 * Assets that form pairs, in US dollars. Every pair against the dollar contains the dollar's factor. Coins have it too, so
 * that it cancels out against the dollar: coins do not follow the dollar.
 */
export const ASSETS: Readonly<Record<string, Asset>> = {
  USD: asset(1, { USD: 1 }),
  EUR: asset(1.165, { EUR: 1 }),
  GBP: asset(1.34, { EUR: 0.7, GBP: 1 }),
  CHF: asset(1.25, { EUR: 0.75, CHF: 1 }),
  JPY: asset(1 / 152, { JPY: 1 }),
  AUD: asset(0.655, { AUD: 1 }),
  NZD: asset(0.578, { AUD: 0.8, NZD: 1 }),
  CAD: asset(0.714, { CAD: 1, OIL: 0.04 }),
  XAU: asset(4000, { XAU: 1 }),
  XAG: asset(48, { XAU: 1.2, XAG: 1 }),
  BTC: asset(105_000, { USD: 1, COINS: 1, BTC: 1 }),
  ETH: asset(3600, { USD: 1, COINS: 1.1, ETH: 1 }),
  SOL: asset(170, { USD: 1, COINS: 1.2, SOL: 1 }),
  BNB: asset(950, { USD: 1, COINS: 0.8, BNB: 1 }),
  XRP: asset(2.4, { USD: 1, COINS: 1, XRP: 1 }),
  ADA: asset(0.6, { USD: 1, COINS: 1.1, ADA: 1 }),
  DOGE: asset(0.18, { USD: 1, COINS: 1.2, DOGE: 1 }),
  LTC: asset(95, { USD: 1, COINS: 0.9, LTC: 1 }),
  USDT: asset(1, { USD: 1, TETHER: 1 }),
  USDC: asset(1, { USD: 1, TETHER: 0.5 }),
};

/** Instruments that are not pairs, in points of their own currency. */
export const STANDALONE_ASSETS: Readonly<Record<string, Asset>> = {
  US500: asset(6700, { SHARES: 1, US500: 1 }),
  NAS100: asset(25_000, { SHARES: 1.25, NAS100: 1 }),
  US30: asset(47_000, { SHARES: 0.9, US30: 1 }),
  GER40: asset(24_000, { SHARES: 0.85, GER40: 1 }),
  UK100: asset(9600, { SHARES: 0.6, UK100: 1 }),
  JPN225: asset(50_000, { SHARES: 0.8, JPN225: 1, JPY: -0.5 }),
  USOIL: asset(61, { OIL: 1, USOIL: 1 }),
  UKOIL: asset(65, { OIL: 0.95, UKOIL: 1 }),
  NATGAS: asset(4, { NATGAS: 1 }),
};
