import { defineLibrary } from './arguments.ts';
import { baseFunctions, iterators } from './base-library.ts';
import { mathFunctions, randomFunctions, setConstants } from './math-library.ts';
import { clockFunctions, timeFunctions } from './os-library.ts';
import type { LuaState } from './state.ts';
import { stringFunctions } from './string-library.ts';
import type { LuaTable } from './table.ts';
import { tableFunctions } from './table-library.ts';

/** Fills the globals of a run. No library reads or writes anything outside of the script. */
export function openLibraries(
  state: LuaState,
  { areAllOpen, nowMs }: { readonly areAllOpen: boolean; readonly nowMs: () => number },
): void {
  const { globals } = state;
  const loaded = state.table();
  const add = (name: string, table: LuaTable): LuaTable => {
    globals.set(name, table);
    loaded.set(name, table);
    return table;
  };
  defineLibrary(state, add('_G', globals), baseFunctions);
  defineLibrary(state, state.hidden, iterators);
  globals.set('_VERSION', 'Lua 5.1');
  defineLibrary(state, add('table', state.table()), tableFunctions);
  const os = defineLibrary(state, add('os', state.table()), timeFunctions(nowMs));
  if (areAllOpen) {
    defineLibrary(state, os, clockFunctions());
    const math = defineLibrary(state, add('math', state.table()), { ...mathFunctions, ...randomFunctions() });
    setConstants(math);
    const texts = defineLibrary(state, add('string', state.table()), stringFunctions);
    state.textMetatable = state.table();
    state.textMetatable.set('__index', texts);
  }
  const packages = add('package', state.table());
  packages.set('loaded', loaded);
  defineLibrary(state, globals, {
    /** Libraries that are there anyway; nothing is read from anywhere. */
    require(args) {
      const found = loaded.get(args.text(1));
      if (found === undefined) throw args.state.fault(`module ${args.text(1)} not found`);
      return [found];
    },
  });
}
