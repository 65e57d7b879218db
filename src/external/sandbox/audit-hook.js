/**
 * Evaluated in the interpreter's context. What CPython tells its audit hooks, this one hears in JavaScript, where no program
 * can reach or replace it: it refuses what honest programs never do. The value of this script is the function that makes one.
 */
(() => {
  /** Code and machine memory made by hand, and what leads to objects that are not the program's own. */
  const FORGERIES = [
    'code.__new__',
    'marshal.',
    'ctypes.',
    'gc.get_objects',
    'gc.get_referrers',
    'gc.get_referents',
    'sys._current_frames',
    'sys._current_exceptions',
    'sys.addaudithook',
    'sys.monitoring.register_callback',
    'cpython.',
  ];
  /** What a debugger does: refused, but no reason to suspect a program, for `doctest` does so too. */
  const TRACES = ['sys.settrace', 'sys.setprofile'];
  /** Modules that reach JavaScript, machine memory or the inside of the interpreter. */
  const MODULES = [
    'js',
    'pyodide_js',
    '_pyodide_core',
    'ctypes',
    '_ctypes',
    '_testcapi',
    '_testinternalcapi',
    '_interpreters',
    '_interpchannels',
    '_interpqueues',
    '_xxsubinterpreters',
  ];
  const LONGEST_NAME = 64;
  /** Of a tuple in memory: where its items are. */
  const ITEMS = 12;
  /** (module (import "e" "f" (func (param i32 i32 i32) (result i32))) (export "f" (func 0))): makes a function for a table of this one. */
  const RELAY = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 1, 96, 3, 127, 127, 127, 1, 127, 2, 7, 1, 1, 101, 1, 102, 0, 0, 7, 5,
    1, 1, 102, 0, 0,
  ];

  return ({ exports, env, memory }) => {
    const table = env.__indirect_function_table;
    let isArmed = false;
    let refusals = 0;

    const textAt = (pointer) => {
      const heap = new Uint8Array(memory.buffer);
      let text = '';
      for (let at = pointer; heap[at] !== 0 && text.length < LONGEST_NAME; at += 1) {
        text += String.fromCharCode(heap[at]);
      }
      return text;
    };
    const itemAt = (tuple, place) => {
      const object = new DataView(memory.buffer).getUint32(tuple + ITEMS + 4 * place, true);
      const text = exports.PyUnicode_AsUTF8(object);
      if (text === 0) exports.PyErr_Clear();
      return text === 0 ? '' : textAt(text);
    };
    const starts = (event, list) => {
      for (let place = 0; place < list.length; place += 1) if (event.startsWith(list[place])) return true;
      return false;
    };
    const isForgery = (event, args) => {
      if (event === 'import') return MODULES.includes(itemAt(args, 0));
      if (event === 'object.__setattr__') return itemAt(args, 1) === '__code__';
      return starts(event, FORGERIES);
    };
    const hook = (pointer, args) => {
      if (!isArmed) return 0;
      const event = textAt(pointer);
      const forged = isForgery(event, args);
      if (!forged && !TRACES.includes(event)) return 0;
      if (forged) refusals += 1;
      const kind = new DataView(memory.buffer).getUint32(
        env.__memory_base.value + exports.PyExc_RuntimeError.value,
        true,
      );
      exports.PyErr_SetNone(kind);
      return -1;
    };

    const place = table.grow(1);
    const relay = new WebAssembly.Module(new Uint8Array(RELAY));
    table.set(place, new WebAssembly.Instance(relay, { e: { f: hook } }).exports.f);
    return {
      /** Makes CPython ask it; what has taken over the memory of another does so already. */
      register: () => {
        if (exports.PySys_AddAuditHook(place, 0) !== 0) throw new Error('The audit hook was not taken.');
      },
      arm: () => {
        isArmed = true;
      },
      forget: () => {
        refusals = 0;
      },
      refusals: () => refusals,
    };
  };
})();
