import { join } from 'node:path'
import { serviceProcess } from '../service/sandbox/process-settings.ts'
import { runAttached } from './attached.mjs'
import { ensureBuild } from './build.ts'
import { hasDisplay, openBrowser } from './display.ts'
import { findElectron } from './electron.ts'
import { ensureFfmpeg } from './ffmpeg.ts'
import { printInfo, root } from './root.mjs'

/** An Electron that ends sooner than this with an error could not open its window (root, no sandbox, no GPU libraries). */
const STARTUP_MS = 5_000

/** @returns its exit code, or null when it could not open its window */
async function runDesktop(electron: string): Promise<number | null> {
  const started = Date.now()
  const code = await runAttached(electron, [root, ...process.argv.slice(2)], { channel: false })
  return code !== 0 && Date.now() - started < STARTUP_MS ? null : code
}

/** The same service with its page in the browser. */
async function runInBrowser(): Promise<number> {
  await using opened = new AsyncDisposableStack()
  let printed = ''
  const onOutput = (text: string) => {
    if (printed.includes('\n')) return
    printed += text
    const [line, end] = printed.split('\n', 2)
    if (end === undefined || !line) return
    const { pageUrl } = JSON.parse(line) as { pageUrl: string }
    printInfo(`Refile is at ${pageUrl}\nCtrl-C stops it.`)
    if (hasDisplay) void openBrowser(pageUrl).then(file => opened.use(file))
  }
  // The person at this terminal started an app, not a server.
  process.env.REFILE_LOG_LEVEL ??= 'warn'
  const main = join(root, 'dist', 'service', 'main.js')
  const { nodeOptions, env } = serviceProcess
  const args = [...nodeOptions, main, '--open', ...process.argv.slice(2)]
  return await runAttached(process.execPath, args, { stdout: onOutput, env })
}

/** The app in a window of its own, or in the browser where there can be none. */
async function runApp(): Promise<number> {
  await ensureBuild()
  await ensureFfmpeg()
  const electron = await findElectron()
  const exitCode = 'path' in electron ? await runDesktop(electron.path) : null
  const reason =
    'reason' in electron ? `No desktop window: ${electron.reason}.` : 'No window could be opened here.'
  if (exitCode === null) printInfo(`${reason} The app runs in the browser instead.`)
  return exitCode ?? (await runInBrowser())
}

/** `npm start`; its options are those of the service. */
process.exitCode = process.argv.includes('--help')
  ? await runAttached(process.execPath, [join(root, 'service', 'main.ts'), '--help'])
  : await runApp()
