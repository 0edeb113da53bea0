/** A service that starts one worker, whose script is its argument, and prints its id. */
import { spawnNode } from '../service/sandbox/workers/spawn.ts'

const worker = spawnNode(process.argv[2] ?? '', { PATH: process.env.PATH ?? '' })
process.stdout.write(`${worker.pid}\n`)
