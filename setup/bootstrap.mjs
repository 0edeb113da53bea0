import { fileURLToPath } from 'node:url'
import { runAttached } from './attached.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { node24 } from './node24.mjs'
import { printInfo } from './root.mjs'

/**
 * Runs a script of ours under Node 24 with its packages installed, starting from whatever Node npm runs on.
 * @param {URL} script a TypeScript file
 */
export async function bootstrap(script) {
  try {
    ensureDependencies()
    const node = node24()
    if (node === process.execPath) await import(script.href)
    else process.exitCode = await runAttached(node, [fileURLToPath(script), ...process.argv.slice(2)])
  } catch (error) {
    printInfo(`\n${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
