// The layout of the adapters for freqtrade and Lean, which are not installed here: the files parse, and have the classes, methods and
// arguments that those programs call by their documentation.
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { reportSkipped } from '../packages/server/testing/skipped.fixture.ts';

const hasPython = Bun.which('python3') !== null;
if (!hasPython) reportSkipped('the layout of the adapters', 'python3 is not installed');

const LAYOUT = `
import ast, json, sys
tree = ast.parse(open(sys.argv[1]).read())
print(json.dumps({
    each.name: {
        "bases": [ast.unparse(base) for base in each.bases],
        "methods": {
            method.name: [argument.arg for argument in method.args.args[1:]]
            for method in each.body if isinstance(method, ast.FunctionDef)
        },
    }
    for each in tree.body if isinstance(each, ast.ClassDef)
}))
`;

function layoutOf(path: string): unknown {
  const { stdout, stderr } = Bun.spawnSync(['python3', '-c', LAYOUT, join(import.meta.dir, path)]);
  expect(stderr.toString()).toBe('');
  return JSON.parse(stdout.toString());
}

test.skipIf(!hasPython)('the freqtrade strategy has the callbacks of interface version 3', () => {
  const dataframe = ['dataframe', 'metadata'];
  const trade = ['pair', 'trade', 'current_time', 'current_rate', 'current_profit'];
  expect(layoutOf('freqtrade/tickwire_strategy.py')).toMatchObject({
    TickwireSignals: {
      bases: ['IStrategy'],
      methods: {
        bot_start: [],
        bot_loop_start: ['current_time'],
        populate_indicators: dataframe,
        populate_entry_trend: dataframe,
        populate_exit_trend: dataframe,
        custom_stoploss: [...trade, 'after_fill'],
        custom_exit: trade,
      },
    },
  });
});

test.skipIf(!hasPython)('the Lean algorithm has custom data and the event handlers', () => {
  expect(layoutOf('lean/main.py')).toMatchObject({
    TickwireSignal: {
      bases: ['PythonData'],
      methods: {
        get_source: ['config', 'date', 'is_live_mode'],
        reader: ['config', 'line', 'date', 'is_live_mode'],
      },
    },
    TickwireAlgorithm: {
      bases: ['QCAlgorithm'],
      methods: { initialize: [], on_data: ['data'], on_order_event: ['order_event'] },
    },
  });
});
