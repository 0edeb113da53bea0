import { type Spawn, spawnNode } from '../workers/spawn.ts'

/** Set by the tests' configuration. */
const { NODE_COMPILE_CACHE } = process.env

/**
 * Starts workers with the tests' compile cache, and at normal priority. Those of the service give way to whatever else the machine does, which on a busy one
 * leaves them a tenth of the time that their tests reckon with.
 */
export const spawnForTests: Spawn = (entry, env) =>
  spawnNode(entry, { ...env, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) })
