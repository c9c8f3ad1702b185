// Generates gemm-wasm.ts from gemm.wat.
import { readFileSync, writeFileSync } from 'node:fs';
import { compile, findToolkit, sourceOf } from './compile.ts';

const toolkit = await findToolkit();
if (!toolkit) throw new Error('wabt is not installed: run npm ci with the development dependencies');
const bytes = compile(toolkit, readFileSync(new URL('gemm.wat', import.meta.url), 'utf8'));
writeFileSync(new URL('gemm-wasm.ts', import.meta.url), sourceOf(bytes));
console.log(`gemm-wasm.ts: ${bytes.length} bytes`);
