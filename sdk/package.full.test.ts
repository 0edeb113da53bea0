import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { chromium } from 'playwright'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { misbehaving } from '../testing/misbehaving.ts'
import { sharedService } from '../testing/service.ts'

const run = promisify(execFile)
const sdk = import.meta.dirname
const modules = join(sdk, '..', 'node_modules')
const service = sharedService(misbehaving)

/** The package as it would be published, built into a folder of its own. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-sdk-'))
  for (const name of ['package.json', 'LICENSE', 'README.md', 'tsconfig.json', 'src']) {
    await cp(join(sdk, name), join(folder, name), { recursive: true })
  }
  await symlink(modules, join(folder, 'node_modules'))
  await run(process.execPath, [join(sdk, 'node_modules/typescript/bin/tsc'), '-p', folder])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What a program does with the package; it converts a file live and reads the result. */
const program = (url: string, key: string) => `
  const { JobError, Refile } = await import('refile-sdk')
  const client = new Refile({ baseUrl: '${url}', apiKey: '${key}' })
  const seen = []
  const onProgress = ({ status }) => seen.push(status)
  const result = await client.convert(new File(['progress'], 'a.jpg'), 'webp', { onProgress })
  const failed = await client.convert(new File(['fail-with-cause'], 'b.jpg'), 'webp').catch(error => error)
  const report = {
    text: await (await result.blob()).text(),
    ended: seen.at(-1),
    failed: failed instanceof JobError && failed.code,
  }`
const reported = {
  text: expect.stringMatching(/^progress done/),
  ended: 'Succeeded',
  failed: 'jobs.corrupt_input',
}

test('the published package is sound for every resolver of types that can import it', async () => {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true })
  expect(messages.map(found => formatMessage(found, pkg))).toEqual([])
  await run('npm', ['pack', '--ignore-scripts'], { cwd: folder })
  const [tarball = ''] = (await readdir(folder)).filter(name => name.endsWith('.tgz'))
  const packed = createPackageFromTarballData(new Uint8Array(await readFile(join(folder, tarball))))
  const checked = await checkPackage(packed)
  expect(checked.types).toEqual({ kind: 'included' })
  // It is an ES module alone, which `require` loads since Node 20.19.
  const problems = 'problems' in checked ? checked.problems : []
  expect(problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')).toEqual([])
})

test('the package has the licence of the project, and its README compiles under strict types', async () => {
  const [own, ours] = await Promise.all(
    [folder, join(sdk, '..')].map(path => readFile(join(path, 'LICENSE'))),
  )
  expect(own).toEqual(ours)
  const blocks = (await readFile(join(folder, 'README.md'), 'utf8')).matchAll(/```js\n([\s\S]*?)```/g)
  const given = `import type { IncomingMessage } from 'node:http'
    declare const [secret, rawBody, request]: [string, Buffer, IncomingMessage]`
  const code = [given, ...[...blocks].map(([, block]) => block)].join('\n')
  await writeFile(join(folder, 'example.mts'), code)
  const flags = '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck'
  const target = '--module nodenext --target es2024 --types node'
  const words = `${flags} ${target} example.mts`.split(' ')
  const tsc = join(sdk, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, ...words], { cwd: folder }).catch(error => error)
  expect(stdout).toBe('')
})

/** Every Node of this machine that the package supports: by version, where it is. */
async function supportedNodes(): Promise<Map<string, string>> {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const named = [process.execPath, ...folders.map(path => join(path, 'node'))]
  const found = await Promise.all(named.map(path => realpath(path).catch(() => '')))
  const nodes = new Map<string, string>()
  for (const path of new Set(found.filter(Boolean))) {
    const { stdout } = await run(path, ['--version']).catch(() => ({ stdout: '' }))
    if (Number(/^v(\d+)/.exec(stdout)?.[1]) >= 20) nodes.set(stdout.trim(), path)
  }
  return nodes
}

test('the built package works in every Node of this machine from 20', async () => {
  const nodes = await supportedNodes()
  expect([...nodes.keys()]).toContain(process.version)
  const path = join(folder, 'program.mjs')
  await writeFile(path, `${program(service().url, service().key)}\nconsole.log(JSON.stringify(report))`)
  // A package may name itself, as those that installed it do.
  for (const [version, node] of nodes) {
    const { stdout } = await run(node, [path])
    expect(JSON.parse(stdout), version).toEqual(reported)
  }
})

test('the built package works in a browser', async () => {
  const { url, key } = service()
  const browser = await chromium.launch({
    executablePath: process.env.REFILE_CHROMIUM || '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('pageerror', error => problems.push(error.message))
  // A page of the service's own origin, since it answers no other.
  const imports = { 'refile-sdk': '/npm/sdk/index.js' }
  await page.route(`${url}/sdk-test`, route =>
    route.fulfill({
      contentType: 'text/html',
      body: `<script type="importmap">${JSON.stringify({ imports })}</script>`,
    }),
  )
  await page.route(`${url}/npm/sdk/*`, route =>
    route.fulfill({
      path: join(folder, 'dist', new URL(route.request().url()).pathname.split('/').at(-1) ?? ''),
    }),
  )
  await page.goto(`${url}/sdk-test`)
  expect(await page.evaluate(`(async () => {${program(url, key)}\nreturn report})()`)).toEqual(reported)
  expect(problems).toEqual([])
})
