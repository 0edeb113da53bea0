import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuild } from './build.ts'
import { ensureFfmpeg } from './ffmpeg.ts'
import { root } from './root.mjs'

/** `npm run refile -- …` and, where the project is linked, `refile …`: the command line, in the folder it was typed in. */
// It is this command's alone: what the service runs must not be able to write what runs here.
delete process.env.NODE_COMPILE_CACHE
await ensureBuild()
await ensureFfmpeg()
process.chdir(process.env.REFILE_CALLED_IN ?? process.cwd())
await import(pathToFileURL(join(root, 'dist', 'cli', 'main.js')).href)
