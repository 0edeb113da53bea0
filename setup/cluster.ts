import { join } from 'node:path'
import { hasPostgres } from '../testing/servers/postgres.ts'
import { runAttached } from './attached.mjs'
import { ensureBuild } from './build.ts'
import { canInstall, installPackages } from './debian.ts'
import { ensureFfmpeg } from './ffmpeg.ts'
import { printInfo, root } from './root.mjs'

/** `npm run cluster`: several hosts of one service on this machine, with all that they share. */
if (hasPostgres || (canInstall && installPackages(['postgresql']))) {
  await ensureBuild()
  await ensureFfmpeg()
  process.exitCode = await runAttached(process.execPath, [
    join(root, 'setup', 'cluster', 'main.ts'),
    ...process.argv.slice(2),
  ])
} else {
  printInfo(
    'There is no PostgreSQL here. Install it (apt install postgresql, brew install postgresql) and run this again.',
  )
  process.exitCode = 1
}
