// The formats of `tickwire import`. A new one needs a file in this folder and an entry here.
import { binanceCsv } from './binance-csv.ts';
import { binanceRecording } from './binance-recording.ts';
import { ccxt } from './ccxt.ts';
import { cryptoDataDownload } from './cryptodatadownload.ts';
import { csv } from './csv.ts';
import { dukascopyBi5 } from './dukascopy-bi5.ts';
import { dukascopyCsv } from './dukascopy-csv.ts';
import { dukascopyJson } from './dukascopy-json.ts';
import type { Format } from './format.ts';
import { histdata } from './histdata.ts';
import { hst } from './hst.ts';
import { kraken } from './kraken.ts';
import { lean } from './lean.ts';
import { metatrader } from './metatrader.ts';
import { ndjson } from './ndjson.ts';
import { parquet } from './parquet.ts';
import { tradingview } from './tradingview.ts';

export const FORMATS: readonly Format[] = [
  dukascopyCsv,
  dukascopyJson,
  dukascopyBi5,
  histdata,
  binanceCsv,
  binanceRecording,
  metatrader,
  hst,
  lean,
  kraken,
  ccxt,
  tradingview,
  cryptoDataDownload,
  parquet,
  csv,
  ndjson,
];
