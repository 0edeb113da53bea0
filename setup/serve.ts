import { join } from 'node:path'
import { runAttached } from './attached.mjs'
import { ensureBuild } from './build.ts'
import { ensureFfmpeg } from './ffmpeg.ts'
import { root } from './root.mjs'

/** `npm run serve`: the service alone. Nothing here writes to stdout, which carries the service's one line. */
await ensureBuild()
await ensureFfmpeg()
process.exitCode = await runAttached(process.execPath, [
  join(root, 'dist', 'service', 'main.js'),
  ...process.argv.slice(2),
])
