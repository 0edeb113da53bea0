/**
 * Settings of V8 and of glibc's allocator for Refile's processes, with the effect of each: resident megabytes on Linux x64,
 * with and without it. Neither can be changed once a process runs.
 */

const glibc = (settings: Record<string, string>): Record<string, string> =>
  process.platform === 'linux' ? settings : {}

/** For the service itself. */
export const serviceProcess = {
  // A small young generation of V8, which is enough for moving bytes and rows: 92 at rest instead of 107. Less spare room
  // in the heap: 100 after 150 conversions and an upload of 200 MB, instead of 111.
  nodeOptions: ['--max-semi-space-size=1', '--optimize-for-size'],
  // glibc gives every thread a heap of its own and keeps freed memory there. Two are enough: 91 at rest instead of 95.
  env: glibc({ MALLOC_ARENA_MAX: '2' }),
}

/** V8's heap of one worker in megabytes; pixels and engine memory are outside it and are watched by the pool. */
export const WORKER_HEAP_MEGABYTES = 2048

/**
 * Additionally, for a worker that goes through much data and keeps little of it: V8 collects garbage often, including the buffers
 * outside its heap.
 */
const collectingProcess = {
  // Converting 500 MB in 40,000 files takes 181 from ZIP to ISO instead of 254, and 152 from ZIP to TAR instead of 197. Half of it keeps more,
  // since what is young then counts as old (194 to ISO); twice as much gains nothing in the others. A book with 26 MB of text takes
  // 259 to AZW3 instead of 337, and 288 to MOBI instead of 410.
  env: { NODE_OPTIONS: '--max-semi-space-size=2' },
}

/** For a worker, whose native libraries allocate large blocks in several threads. */
export const workerProcess = {
  env: glibc({
    // A worker that has converted four 24-megapixel photos keeps 154 instead of 186.
    MALLOC_ARENA_MAX: '2',
    // Together with this, 134: glibc returns blocks of 1 MB and more to the system at once, instead of treating ever larger ones
    // as small.
    MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
    // Large blocks are made of pages of 2 MB, where the system allows that (glibc 2.35): a 12-megapixel photo takes 1 to 6 percent less
    // processor time to WebP, AVIF or PNG, and a worker may keep some megabytes more.
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  }),
}

/** Additionally, for a worker that compiles a large program, which takes many blocks and uses a part of each. */
const compilingProcess = {
  // Clearing pages of 2 MB costs LibreOffice 0.5 seconds of processor time until its first document, and 1 second for twenty.
  env: glibc({ GLIBC_TUNABLES: 'glibc.malloc.hugetlb=0' }),
}

/** The environment variables of a worker for an engine, in addition to those of every worker. */
export const engineEnvironment = ({
  collectsOften,
  compilesMuch,
}: {
  collectsOften?: boolean
  compilesMuch?: boolean
}): Record<string, string> => ({
  ...(collectsOften && collectingProcess.env),
  ...(compilesMuch && compilingProcess.env),
})
