import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect, onTestFinished, test } from 'vitest'
import { misbehaving } from '../service/test/misbehaving.ts'
import { testService } from '../service/test/service.ts'

const run = promisify(execFile)
const sdk = import.meta.dirname

/** The package as it would be published, built into a folder of its own. */
async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-sdk-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['package.json', 'README.md', 'tsconfig.json', 'src']) {
    await cp(join(sdk, name), join(folder, name), { recursive: true })
  }
  await symlink(join(sdk, '..', 'node_modules'), join(folder, 'node_modules'))
  await run(process.execPath, [join(sdk, 'node_modules/typescript/bin/tsc'), '-p', folder])
  return folder
}

test('the published package is sound, and works in the Node of this machine', async () => {
  const folder = await build()
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true })
  expect(messages.map(found => formatMessage(found, pkg))).toEqual([])
  expect((await readdir(join(folder, 'dist'))).filter(name => name.endsWith('.d.ts'))).toContain('index.d.ts')

  const service = await testService(misbehaving)
  const script = `
    import { Refile } from './dist/index.js'
    const client = new Refile({ baseUrl: '${service.url}', apiKey: '${service.key}' })
    const result = await client.convert(new File(['fine'], 'a.jpg'), 'webp')
    process.stdout.write(await (await result.blob()).text())`
  await writeFile(join(folder, 'example.mjs'), script)
  for (const node of new Set([process.execPath, process.env.npm_node_execpath ?? process.execPath])) {
    expect((await run(node, [join(folder, 'example.mjs')])).stdout).toMatch(/^fine done/)
  }
})
