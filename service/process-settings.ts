/**
 * Settings of V8 and of glibc's allocator for the processes of Refile, each with what it brings: megabytes resident on Linux
 * x64, with and without. Neither can be changed once a process runs.
 */

const glibc = (settings: Record<string, string>): Record<string, string> =>
  process.platform === 'linux' ? settings : {}

/** Of the service by itself. */
export const serviceProcess = {
  // V8's young generation stays small, which is all that moving bytes and rows about needs: 92 at rest instead of 107. Less
  // spare room in the heap: 100 after 150 conversions and an upload of 200 MB, instead of 111.
  nodeOptions: ['--max-semi-space-size=1', '--optimize-for-size'],
  // glibc gives every thread a heap of its own and keeps what is freed there. Two are enough: 91 at rest instead of 95.
  env: glibc({ MALLOC_ARENA_MAX: '2' }),
}

/** V8's heap of one worker in megabytes; pixels and engine memory live outside it and are watched by the pool. */
export const WORKER_HEAP_MEGABYTES = 2048

/** Of a worker through which bytes only pass, in addition: V8 collects often, and with it the buffers outside its heap. */
export const streamingProcess = {
  // Converting 500 MB in 40,000 files takes 181 from ZIP to ISO instead of 254, and 152 from ZIP to TAR instead of 197. Half of it keeps more,
  // since what is young then counts as old (194 to ISO); twice as much gains nothing in the others.
  env: { NODE_OPTIONS: '--max-semi-space-size=2' },
}

/** Of a worker, whose native libraries take large blocks in several threads. */
export const workerProcess = {
  env: glibc({
    // A worker that has converted four photographs of 24 megapixels keeps 154 instead of 186.
    MALLOC_ARENA_MAX: '2',
    // With this, too, 134: glibc gives blocks from 1 MB on back to the system at once, instead of calling ever larger ones small.
    MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
  }),
}
