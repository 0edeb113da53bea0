/** A worker that is still starting: before it could watch its service, for ten seconds. */
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000)

// Makes it a module.
export {}
