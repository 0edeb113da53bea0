import { join } from 'node:path'
import { serviceProcess } from '../service/sandbox/process-settings.ts'
import { runAttached } from './attached.mjs'
import { ensureBuild } from './build.ts'
import { ensureFfmpeg } from './ffmpeg.ts'
import { root } from './root.mjs'

/**
 * `npm run serve`: the service alone. Nothing here writes to stdout, which is reserved for the service's single line.
 */
await ensureBuild()
await ensureFfmpeg()
const main = join(root, 'dist', 'service', 'main.js')
const { nodeOptions, env } = serviceProcess
process.exitCode = await runAttached(process.execPath, [...nodeOptions, main, ...process.argv.slice(2)], {
  env,
})
