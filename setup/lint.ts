/** `npm run lint`: all checks of the sources beside each other. Says nothing of those that find nothing. */
import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { root } from './root.mjs'

const checks = [
  ['biome', 'ci', '--error-on-warnings', '.'],
  ['oxlint', '--type-aware', '--quiet'],
  ['knip', '--cache'],
  ['node', 'setup/imports.ts'],
]

const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
const found = await Promise.all(
  checks.map(
    ([command = '', ...args]) =>
      new Promise<boolean>(resolve => {
        const options = {
          cwd: root,
          env: { ...process.env, PATH },
          shell: process.platform === 'win32',
          maxBuffer: 2 ** 26,
        }
        execFile(command, args, options, (error, stdout, stderr) => {
          if (error) process.stdout.write(`── ${command}\n${stdout}${stderr}\n`)
          resolve(error !== null)
        })
      }),
  ),
)
process.exitCode = found.includes(true) ? 1 : 0
