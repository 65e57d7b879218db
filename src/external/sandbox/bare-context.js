/**
 * Evaluated in a context that holds the language and nothing else: no `process`, no `require`, no timer, no network.
 * It lends CPython the few globals it starts with, then takes them back. The value of this script is the function
 * that starts one interpreter.
 *
 * What crosses from outside are strings, numbers and bytes. The two functions of the host are called in `guard` only: an
 * error that the host throws is an object of its realm, and would lead a program there.
 */
(() => {
  const PAGE_BYTES = 65_536;
  const FIRST_PAGES = 320;
  const READ_ONLY = 69;
  const HOST_DEVICE = [64, 7];

  /** The clock moves by a millisecond each time it is read, so that time is the same in every run and a sleep ends at once. */
  const EPOCH_MS = 1_800_000_000_000;
  let now = EPOCH_MS;
  const tick = () => {
    now += 1;
    return now;
  };

  const guard = (call, text) => {
    try {
      const answer = call(text);
      return typeof answer === 'string' ? answer : '';
    } catch {
      return '';
    }
  };

  const copyBytes = (bytes) => {
    const copy = new Uint8Array(bytes.length);
    for (let at = 0; at < copy.length; at += 1) copy[at] = bytes[at];
    return copy;
  };

  const toBytes = (ascii) => {
    const bytes = new Uint8Array(ascii.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = ascii.charCodeAt(at);
    return bytes;
  };

  const toText = (bytes) => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 8_192) {
      text += String.fromCharCode.apply(null, bytes.subarray(at, at + 8_192));
    }
    return text;
  };

  const lendGlobals = () => {
    const ignore = () => {};
    Object.assign(globalThis, {
      console: { log: ignore, warn: ignore, error: ignore, info: ignore, debug: ignore },
      performance: { now: tick },
      crypto: { getRandomValues: (view) => view.fill(7) },
      setTimeout: () => 0,
      clearTimeout: ignore,
      // CPython's loader asks which kind of host it runs on; a worker without any of its means is the poorest.
      WorkerGlobalScope: class {},
      self: globalThis,
      location: { href: 'file:///python.js' },
      URL: class {
        href = 'file:///';
      },
      importScripts: ignore,
      load: ignore,
      read: ignore,
    });
    Date.now = tick;
  };

  /** Afterwards no code can be compiled here, from text (see the context's options) or from WebAssembly. */
  const takeBackGlobals = () => {
    for (const name of [
      'WorkerGlobalScope',
      'self',
      'location',
      'URL',
      'importScripts',
      'load',
      'read',
      '_createPyodideModule',
    ]) {
      globalThis[name] = undefined;
    }
    for (const name of [
      'Module',
      'Instance',
      'Memory',
      'Table',
      'Function',
      'compile',
      'instantiate',
      'validate',
    ]) {
      delete WebAssembly[name];
    }
    for (const name of Object.getOwnPropertyNames(globalThis)) freezeShared(globalThis[name]);
  };

  /** Built-in objects and their prototypes, which programs run after one another share. */
  const freezeShared = (value) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
    if (value === globalThis || Object.isFrozen(value)) return;
    if (!ArrayBuffer.isView(value)) Object.freeze(value);
    if (typeof value === 'function' && value.prototype !== undefined) {
      Object.freeze(value.prototype);
      const parent = Object.getPrototypeOf(value.prototype);
      if (parent !== null) Object.freeze(parent);
    }
  };

  /**
   * A module of CPython's own that reaches JavaScript or machine memory. In the table that it is found by, its name gets a
   * byte that no name can have, so that none equals it.
   */
  const forget = (heap, name) => {
    const wanted = toBytes(`\0${name}\0`);
    let found = 0;
    for (let at = heap.indexOf(0x5f); at >= 0; at = heap.indexOf(0x5f, at + 1)) {
      if (wanted.every((byte, offset) => heap[at - 1 + offset] === byte)) {
        heap[at] = 0xff;
        found += 1;
      }
    }
    if (found === 0) throw new Error(`There is no module ${name} to forget.`);
  };

  /** No file can be made or changed, and no pipe or socket opened: what they hold lies outside of the memory limit. */
  const freezeFiles = (FS) => {
    const refuse = () => {
      throw new FS.ErrnoError(READ_ONLY);
    };
    const { file, dir, link, chrdev } = FS.filesystems.MEMFS.ops_table;
    Object.assign(file.stream, { write: refuse, allocate: refuse, msync: refuse });
    for (const { node } of [file, dir, link, chrdev]) {
      for (const name of Object.keys(node)) {
        if (!['getattr', 'lookup', 'readdir', 'readlink'].includes(name)) node[name] = refuse;
      }
    }
    for (const kind of [file, dir, link, chrdev]) {
      Object.freeze(kind.node);
      Object.freeze(kind.stream);
    }
    FS.createNode = refuse;
    FS.mount = refuse;
    FS.registerDevice = refuse;
    for (const name of Object.keys(FS.filesystems)) if (name !== 'MEMFS') delete FS.filesystems[name];
  };

  /**
   * Starts one interpreter. `image`: the memory of another that has started; then this one takes it over. Otherwise `saveImage`
   * has to be called before the first request.
   */
  const startInterpreter = async ({
    wasm,
    stdlib,
    boot,
    sources,
    image: given,
    auditHook,
    memoryBytes,
    messageBytes,
    onLine,
    onProgram,
  }) => {
    const marker = Symbol('sentinel');
    const memory = new WebAssembly.Memory({
      initial: given === null ? FIRST_PAGES : given.bytes.length / PAGE_BYTES,
      maximum: Math.floor(memoryBytes / PAGE_BYTES),
    });
    let audit = null;
    let pending = toBytes(sources);
    let reply = null;
    let overflow = false;

    const receive = (bytes) => {
      const kind = String.fromCharCode(bytes[0]);
      const body = bytes.subarray(1);
      if (kind === 'L') guard(onLine, toText(body));
      if (kind === 'R') reply = toText(body);
      if (kind === 'P') pending = toBytes(guard(onProgram, toText(body)));
    };
    const device = {
      open() {},
      close() {},
      read(_stream, buffer, offset, length) {
        const part = pending.subarray(0, length);
        buffer.set(part, offset);
        pending = pending.subarray(part.length);
        return part.length;
      },
      write(_stream, buffer, offset, length) {
        if (length > messageBytes) {
          overflow = true;
          return length;
        }
        if (length > 0) receive(new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length));
        return length;
      },
    };

    const module = await globalThis._createPyodideModule({
      API: {
        config: { env: {}, args: [], jsglobals: {} },
        runtimeEnv: { IN_SHELL: true },
        lockFilePromise: new Promise(() => {}),
      },
      wasmMemory: memory,
      noImageDecoding: true,
      noAudioDecoding: true,
      noInitialRun: given !== null,
      thisProgram: 'python',
      arguments: [],
      print: () => {},
      printErr: () => {},
      locateFile: (path) => path,
      preRun: [
        ({ FS, ENV }) => {
          FS.mkdirTree('/lib/python3.13/site-packages');
          FS.mkdirTree('/home');
          FS.writeFile('/lib/python313.zip', copyBytes(stdlib));
          FS.chdir('/home');
          Object.assign(ENV, { HOME: '/home', PYTHONHASHSEED: '0', PYTHONDONTWRITEBYTECODE: '1' });
        },
      ],
      instantiateWasm: (imports, done) => {
        imports.sentinel = { create_sentinel: () => marker, is_sentinel: (value) => value === marker };
        const code = new WebAssembly.Module(copyBytes(wasm));
        const instance = new WebAssembly.Instance(code, imports);
        // Before anything else of this instance, so that its place in the table is the same in all of them.
        audit = auditHook({ exports: instance.exports, env: imports.env, memory });
        done(instance, code);
        return {};
      },
    });
    const { FS } = module;
    FS.registerDevice(FS.makedev(...HOST_DEVICE), device);
    FS.mkdev('/dev/host', FS.makedev(...HOST_DEVICE));
    // What programs print goes nowhere, and they have nothing to read.
    for (const fd of [0, 1, 2]) {
      FS.close(FS.getStream(fd));
      FS.open('/dev/null', fd === 0 ? 0 : 1);
    }
    let image = given;
    if (given === null) {
      for (const name of ['_pyodide_core', '_ctypes']) forget(module.HEAPU8, name);
      if (module._PyRun_SimpleString(module.stringToNewUTF8(boot)) !== 0)
        throw new Error('The interpreter did not start.');
      audit.register();
    } else {
      module.HEAPU8.set(given.bytes);
      // Where the other one opened it, as the first file after the standard streams.
      FS.open('/dev/host', 2);
    }
    freezeFiles(FS);

    const { wasmTable, ___stack_pointer: stackPointer } = module;
    const stackTop = stackPointer.value;
    const tableLength = wasmTable.length;
    const streams = FS.streams.map((stream) => stream && { stream, fd: stream.fd, flags: stream.flags });
    const NativeArray = Uint8Array;

    /** Copies the memory as it is now into `bytes`; what every request starts from. */
    const saveImage = (bytes) => {
      const entry = module.stringToNewUTF8('serve()');
      bytes.set(new NativeArray(memory.buffer));
      image = { bytes, entry };
      return entry;
    };

    /** Everything that Python is lies in its memory; what lies beside it is put back as well. */
    const restore = () => {
      const heap = new NativeArray(memory.buffer);
      heap.set(image.bytes);
      if (heap.length > image.bytes.length) heap.fill(0, image.bytes.length);
      FS.streams.length = 0;
      for (const kept of streams) {
        FS.streams.push(kept?.stream);
        if (kept) Object.assign(kept.stream, { fd: kept.fd, flags: kept.flags, position: 0 });
      }
      FS.currentPath = '/home';
      stackPointer.value = stackTop;
      now = EPOCH_MS;
      audit.forget();
    };

    /** `+` and the reply; else how it failed: `overflow`, `silent` (it returned without a reply) or `ended` (a trap). */
    const request = (text) => {
      pending = toBytes(text);
      reply = null;
      overflow = false;
      try {
        module._PyRun_SimpleString(image.entry);
      } catch {
        return 'ended';
      }
      if (overflow) return 'overflow';
      return reply === null ? 'silent' : `+${reply}`;
    };

    /** Nothing but its memory differs from a new interpreter, as far as can be seen. */
    const isIntact = () =>
      audit.refusals() === 0 && wasmTable.length === tableLength && stackPointer.value === stackTop;

    now = EPOCH_MS;
    audit.arm();
    return Object.freeze({
      saveImage,
      request,
      restore,
      isIntact,
      heapBytes: () => memory.buffer.byteLength,
    });
  };

  lendGlobals();
  return { start: startInterpreter, seal: takeBackGlobals };
})();
