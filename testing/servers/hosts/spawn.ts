import { type Spawn, spawnNode } from '../../../service/sandbox/workers/spawn.ts'

/** Set by the tests' configuration, so that Node and ffmpeg start sooner. */
const { NODE_COMPILE_CACHE, LD_LIBRARY_PATH } = process.env

/**
 * Starts workers with the tests' compile cache and libraries, and at normal priority. The service's own workers yield to other programs, which
 * on a busy machine leaves them a tenth of the time that their tests expect.
 */
export const spawnForTests: Spawn = (entry, env) =>
  spawnNode(entry, {
    ...env,
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }),
  })
