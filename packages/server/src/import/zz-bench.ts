import { readImport } from '/work/main/packages/server/src/import/read.ts';
import { ImportWriter } from '/work/main/packages/server/src/import/writer.ts';
import { openSqliteStore } from '/work/main/packages/server/src/store/sqlite/open.ts';
import { CATALOGUE } from '@tickwire/engine';
import { mkdtempSync } from 'node:fs';
for (const [f,symbol,digits] of [['/tmp/imp/q3m.csv','EURUSD',5],['/tmp/imp/t3m.csv','BTCUSD',2]] as const) { 
 const folder = mkdtempSync('/tmp/imp/s-'); const store = openSqliteStore({folder, realm:'live', exclusive:true});
 for (let k=0;k<2;k++){
 const t=performance.now(); let n=0; const {batches}=readImport([f],{symbol,digits,format:'auto'}); const w = await ImportWriter.open({store:store.market, instrument: CATALOGUE.find(c=>c.symbol===symbol)!});
 for await (const b of batches) { n+=b.rows.length; await w.add(b.rows); } await w.endFile();
 const s=(performance.now()-t)/1000; console.log(f,n,Math.round(n/s),'rows/s', Math.round(process.memoryUsage.rss()/1e6),'MB', JSON.stringify(w.written)); }
 await store.close();
}
