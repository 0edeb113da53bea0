import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { testFull } from '../testing/describe-full.ts'
import { isFull, kinds } from '../testing/fixtures/full.ts'
import { misbehaving } from '../testing/misbehaving.ts'
import { isAlive } from '../testing/servers/is-alive.ts'
import { json, sharedService } from '../testing/service.ts'
import { type Run, run as runIn, start } from './test/run.ts'

const service = sharedService(misbehaving)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

const run = (words: string, input: string | Buffer = ''): Promise<Run> =>
  runIn(service().home, folder, words.split(' '), input)
const write = (name: string, text: string) => writeFile(join(folder, name), text)
const read = (name: string) => readFile(join(folder, name), 'utf8')

test('results go beside their files, and failures are named', async () => {
  await Promise.all([write('a.jpg', 'fine'), write('b.jpg', 'fail-with-cause'), write('c.jpg', 'fine')])
  const { code, lines, stderr } = await run('convert a.jpg b.jpg c.jpg --to webp --json')
  expect(code).toBe(1)
  expect(lines.toSorted((one, other) => (String(one.input) < String(other.input) ? -1 : 1))).toMatchObject([
    { input: 'a.jpg', output: 'a.webp', credits: 1, warnings: [] },
    { input: 'b.jpg', error: { code: 'jobs.corrupt_input' } },
    { input: 'c.jpg', output: 'c.webp' },
  ])
  expect(stderr).toMatch(/^b\.jpg: .*damaged/)
  expect(await read('a.webp')).toMatch(/^fine done/)
  expect((await readdir(folder)).toSorted()).toEqual(['a.jpg', 'a.webp', 'b.jpg', 'c.jpg', 'c.webp'])
})

testFull('a file that changes while it is sent costs only itself', async () => {
  await Promise.all([write('a.jpg', 'fine'), write('big.jpg', 'x'.repeat(30_000_000))])
  const growing = setInterval(() => appendFileSync(join(folder, 'big.jpg'), 'x'), 2)
  onTestFinished(() => clearInterval(growing))
  const { code, lines, stderr } = await run('convert big.jpg a.jpg --to webp --json')
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'big.jpg: big.jpg changed while it was read.\n' })
  expect(lines).toEqual([
    expect.objectContaining({ input: 'big.jpg', error: expect.objectContaining({ code: 'file.changed' }) }),
    expect.objectContaining({ input: 'a.jpg', output: 'a.webp' }),
  ])
})

testFull('--then goes on with what came of it, in the same job', async () => {
  await write('a.jpg', 'then fine')
  const chain = 'convert a.jpg --to webp --then tiff --then PNG --set 3.resize.value=99'
  expect((await run(`${chain} --dry-run`)).stdout).toBe('a.jpg → a.png\n')
  const { code, stderr } = await run(`${chain.replace('resize', 'nonsense')} --dry-run`)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('nonsense') })
  await write('a.jpg', 'then then fine')
  expect(await run(`${chain.replace(' --set 3.resize.value=99', '')} --json`)).toMatchObject({
    lines: [{ output: 'a.png', credits: 3 }],
  })
})

testFull('paths are all that is printed, and a result never replaces a file unless asked to', async () => {
  await write('a.jpg', 'fine')
  await write('a.webp', 'mine')
  expect(await run('convert a.jpg -t webp')).toMatchObject({ code: 0, stdout: 'a (2).webp\n', stderr: '' })
  expect(await read('a.webp')).toBe('mine')
  expect((await run('convert a.jpg -t webp --overwrite')).stdout).toBe('a.webp\n')
  expect(await read('a.webp')).toMatch(/^fine/)
})

testFull('a second run with --skip-existing converts nothing', async () => {
  await write('a.jpg', 'fine')
  await write('a.webp', 'there')
  const { lines } = await run('convert a.jpg -t webp --skip-existing --json')
  expect(lines).toEqual([{ input: 'a.jpg', output: 'a.webp', skipped: true }])
  await write('b.png', 'fine')
  await write('b.jpg', 'there')
  for (const target of kinds(['jpeg', 'JPG', '.jpg'], target => target === 'jpeg'))
    expect((await run(`convert b.png -t ${target} --skip-existing --json`)).lines, target).toMatchObject([
      { output: 'b.jpg', skipped: true },
    ])
  await rm(join(folder, 'b.png'))
  await rm(join(folder, 'b.jpg'))
  expect(await readdir(folder)).toHaveLength(2)
})

testFull('several files of one conversion are one ZIP, or files with --unpack', async () => {
  await write('a.jpg', 'several')
  expect((await run('convert a.jpg -t webp')).stdout).toBe('a.zip\n')
  await write('a-1.out.webp', 'mine')
  const outputs = ['a-1.out (2).webp', 'more/a-2.out.webp']
  const { code, lines } = await run('convert a.jpg -t webp --unpack --json')
  expect({ code, lines }).toMatchObject({ code: 0, lines: [{ input: 'a.jpg', outputs }] })
  expect([await read(outputs[0]!), await read(outputs[1]!)]).toEqual(['first', 'second'])
  expect(await read('a-1.out.webp')).toBe('mine')
  expect(await run('convert - --from jpg -t webp --unpack', 'several')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--out'),
  })
})

testFull('several files are numbered, replaced and skipped like one', async () => {
  await write('a.jpg', 'several')
  await run('convert a.jpg -t webp')
  expect((await run('convert a.jpg -t webp --skip-existing')).stdout).toBe('')
  expect((await run('convert a.jpg -t webp --unpack --out out')).stdout).toBe(
    'out/a-1.out.webp\nout/more/a-2.out.webp\n',
  )
  await write('a-1.out.webp', 'mine')
  expect((await run('convert a.jpg -t webp --unpack')).stdout).toBe('a-1.out (2).webp\nmore/a-2.out.webp\n')
  expect((await run('convert a.jpg -t webp --unpack --overwrite')).stdout).toBe(
    'a-1.out.webp\nmore/a-2.out.webp\n',
  )
  const names = ['a-1.out (2).webp', 'a-1.out.webp', 'a.jpg', 'a.zip', 'more', 'out']
  expect((await readdir(folder)).toSorted()).toEqual(names)
  await rm(join(folder, 'a.zip'))
  await rm(join(folder, 'more'), { recursive: true })
  await write('a-1.webp', 'first')
  expect((await run('convert a.jpg -t webp --unpack --skip-existing --json')).lines).toMatchObject([
    { output: expect.stringMatching(/^a-1/), skipped: true },
  ])
  await write('b.jpg', 'fine')
  expect((await run('convert b.jpg -t webp --unpack')).stdout).toBe('b.webp\n')
})

testFull('presets are those of the account, also of a service elsewhere', async () => {
  await write('a.jpg', 'fine')
  const convert = 'convert a.jpg --preset web --dry-run --url'
  if (isFull)
    expect(await run(`${convert} ${service().url}`)).toMatchObject({ code: 0, stdout: 'a.jpg → a.webp\n' })
  const there = `${convert} ${service().url} --key ${service().key}`
  expect(await run(there)).toMatchObject({ code: 0, stdout: 'a.jpg → a.webp\n' })
  expect(await run(there.replace('web', 'none'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('smaller'),
  })
})

testFull('results of one run never replace each other', async () => {
  await Promise.all(['x', 'y'].map(name => mkdir(join(folder, name))))
  await Promise.all([write('x/a.jpg', 'fine'), write('y/A.jpg', 'fine')])
  const both = 'convert x/a.jpg y/A.jpg -t webp --out out'
  for (const flags of kinds(['--overwrite', '--overwrite --unpack'], flags => flags.includes('unpack'))) {
    const { stdout } = await run(`${both} ${flags}`)
    expect(stdout.split('\n').toSorted()).toEqual(['', 'out/A (2).webp', 'out/a.webp'])
  }
  await rm(join(folder, 'out', 'A (2).webp'))
  await write('out/a.webp', '')
  const again = await run(`${both} --skip-existing --json`)
  expect(again.lines).toEqual([
    expect.objectContaining({ input: 'x/a.jpg', skipped: true }),
    expect.objectContaining({ input: 'y/A.jpg', output: expect.stringMatching('A .*webp') }),
  ])
  if (!isFull) return
  const planned = await run(`${both} --dry-run`)
  expect(planned.stdout).toBe('x/a.jpg → out/a (2).webp\ny/A.jpg → out/A.webp\n')
})

testFull('--dry-run converts nothing', async () => {
  await write('a.jpg', 'fine')
  const { stdout } = await run('convert a.jpg -t webp --dry-run --out results --name {name}-{target}-{index}')
  expect(stdout).toBe('a.jpg → results/a-webp-1.webp\n')
  expect(await readdir(folder)).toEqual(['a.jpg'])
  const refused: [words: string, code: number, reason: string][] = [
    ['convert a.jpg -t mp3 --dry-run', 3, 'Nothing converts a.jpg to mp3.'],
    ['convert a.jpg -t webp --set quality=900 --dry-run', 2, 'options.quality must be at most 100.'],
    ['convert a.jpg -t webp --name {nmae} --dry-run', 2, 'no {nmae}'],
  ]
  for (const [words, code, reason] of refused)
    expect(await run(words), words).toMatchObject({ code, stderr: expect.stringContaining(reason) })
})

testFull('what is missing, an address or no file is named, and all else is converted', async () => {
  await write('a.jpg', 'fine')
  await mkdir(join(folder, 'sub'))
  const words = 'convert none.jpg https://example.org/b.jpg sub *.gif a.jpg -t webp --json'
  const { code, lines } = await run(words)
  expect(code).toBe(1)
  expect(
    lines.map(({ input, output, error }) => [input, output ?? (error as Error & { code: string }).code]),
  ).toEqual([
    ...['none.jpg', 'https://example.org/b.jpg', 'sub', '*.gif'].map(word => [word, 'usage']),
    ['a.jpg', 'a.webp'],
  ])
  expect((await run('convert https://example.org/b.jpg -t webp')).stderr).toContain('curl')
})

testFull('a folder is converted with --recursive, and keeps its shape', async () => {
  await mkdir(join(folder, 'in', 'deep'), { recursive: true })
  await mkdir(join(folder, 'in', '.thumbnails'))
  const names = ['in/a.jpg', 'in/deep/b.jpg', 'in/._a.jpg', 'in/.thumbnails/c.jpg']
  await Promise.all(names.map(name => write(name, 'fine')))
  expect(await run('convert in -t webp')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--recursive'),
  })
  const { stdout } = await run('convert in -t webp --recursive --out out')
  expect(stdout.split('\n').toSorted()).toEqual(['', 'out/a.webp', 'out/deep/b.webp'])
  if (!isFull) return
  const beside = await run('convert in -t webp --recursive --dry-run')
  expect(beside.stdout).toBe('in/a.jpg → in/a.webp\nin/deep/b.jpg → in/deep/b.webp\n')
})

testFull('a folder of a text and its pictures is one document', async () => {
  await mkdir(join(folder, 'walk', 'img'), { recursive: true })
  await write('walk/a.md', '# A walk')
  await write('walk/img/b.png', 'fine')
  expect(await run('convert walk -t docx')).toMatchObject({ code: 0, stdout: 'walk.docx\n' })
  expect(await read('walk.docx')).toMatch(/^PK/)
})

testFull(
  'the video of a Live Photo stays with its picture, unless something is asked for that no picture becomes',
  async () => {
    const identifier = '1C1A7A39-0B46-4BF5-9D0F-3A1C0F7D2E55'
    await write('a.jpg', `fine ${identifier}`)
    await write('a.mov', `moov com.apple.quicktime.content.identifier ${identifier}`)
    const { code, lines, stderr } = await run('convert a.jpg a.mov -t webp --json')
    expect({ code, lines }).toEqual({ code: 0, lines: [expect.objectContaining({ input: 'a.jpg' })] })
    expect(stderr).toContain('motion=film')
    expect((await run('convert a.jpg a.mov -t mp3 --dry-run')).stdout).toMatch(/^a.mov → /)
  },
)

testFull('what a folder holds besides is left out, and named', async () => {
  await mkdir(join(folder, 'in'))
  const names = ['a.jpg', 'Thumbs.db', 'notes.txt']
  for (const name of names) await write(`in/${name}`, 'fine')
  const leftOut = 'Left out, as there is no conversion for them: in/Thumbs.db, in/notes.txt\n'
  if (isFull)
    expect(await run('convert in -r -t webp --dry-run')).toMatchObject({
      code: 0,
      stdout: 'in/a.jpg → in/a.webp\n',
      stderr: leftOut,
    })
  const { code, lines, stderr } = await run('convert in -r -t webp --json')
  expect(code).toBe(0)
  expect(stderr).toContain(leftOut)
  expect(lines.filter(({ skipped }) => skipped).map(({ input }) => input)).toEqual(
    expect.arrayContaining(['in/Thumbs.db', 'in/notes.txt']),
  )
  expect((await readdir(join(folder, 'in'))).toSorted()).toEqual([
    'Thumbs.db',
    'a.jpg',
    'a.webp',
    'notes.txt',
  ])
  expect((await run('convert in/notes.txt -t webp')).code, 'named itself').toBe(3)
  if (!isFull) return
  await rm(join(folder, 'in', 'a.jpg'))
  await rm(join(folder, 'in', 'a.webp'))
  expect((await run('convert in -r -t webp')).code, 'nothing is left').toBe(3)
})

test('standard input and output are pipes', async () => {
  const { code, stdout } = await run('convert - --from jpg --to webp', 'fine')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^fine done/)
  if (!isFull) return
  expect(await run('convert - --to webp', 'fine')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--from'),
  })
  expect(await run('convert - --from jpg --to webp', 'fail-with-cause')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('damaged'),
  })
  for (const words of ['a.jpg', '--unpack', '--json'])
    expect(await run(`convert - ${words} --from jpg --to webp`, 'fine'), words).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--out'),
    })
  if (process.platform !== 'linux') return
  const full = await open('/dev/full', 'w')
  onTestFinished(() => full.close())
  const words = ['convert', '-', '--from', 'jpg', '--to', 'webp']
  const child = start(service().home, folder, words, ['pipe', full.fd, 'pipe'])
  child.stdin?.end('fine')
  expect(await Promise.all([once(child, 'exit'), text(child.stderr!)])).toEqual([
    [1, null],
    expect.stringContaining('disk is full'),
  ])
  const main = [process.execPath, join(import.meta.dirname, 'main.ts')].join(' ')
  const terminal = promisify(execFile)(
    'script',
    ['-qec', `echo fine | ${main} convert - --from jpg --to webp`, '/dev/null'],
    { env: { ...process.env, REFILE_HOME: service().home } },
  )
  await expect(terminal).rejects.toMatchObject({
    code: 2,
    stdout: expect.stringContaining('webp is nothing for a terminal.'),
  })
})

testFull('names come from standard input with -0', async () => {
  const names = ['a b.jpg', 'c\nd.jpg']
  for (const name of names) await write(name, 'fine')
  // Names of files are bytes on Linux, and some are no text.
  const latin = Buffer.from('\xe9.jpg', 'latin1')
  const isBytes = process.platform === 'linux'
  if (isBytes) await writeFile(Buffer.concat([Buffer.from(`${folder}/`), latin]), 'fine')
  const list = Buffer.concat([Buffer.from(`${names.join('\0')}\0`), isBytes ? latin : Buffer.alloc(0)])
  const { lines } = await run('convert -0 -t webp --json', list)
  const results = lines.map(({ output }) => String(output)).toSorted()
  expect(results).toEqual(['a b.webp', 'cd.webp', ...(isBytes ? ['\ufffd.webp'] : [])])
})

testFull('warnings are printed, and fail the run if asked for', async () => {
  await write('a.jpg', 'warn')
  expect(await run('convert a.jpg -t webp')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('a.jpg: One is lost.'),
  })
  const quiet = await run('convert a.jpg -t webp --fail-on-warnings --quiet')
  expect(quiet).toMatchObject({ code: 1, stderr: '' })
})

const exits: [words: string, code: number][] = [
  ['convert nothing.jpg -t webp', 2],
  ['convert a.jpg -t webp --set quality=900', 2],
  ['nonsense', 2],
  ['--help', 0],
]
const furtherExits: typeof exits = [
  ['convert a.jpg -t mp3', 3],
  ['convert a.jpg', 2],
  ['formats nothing', 3],
  ['convert a.jpg -t webp --set quality', 2],
  ['convert a.jpg -t webp --jobs 0', 2],
  ['convert a.jpg -t webp --preset none', 2],
  ['options jpg mp3', 3],
]

test.each([...exits, ...(isFull ? furtherExits : [])])('%s exits with %i', async (words, code) => {
  await write('a.jpg', 'fine')
  expect((await run(words)).code).toBe(code)
})

test('Ctrl-C cancels what runs and leaves nothing', async () => {
  await write('a.jpg', 'sleep')
  const child = start(service().home, folder, ['convert', 'a.jpg', '--to', 'webp'])
  const exited = once(child, 'exit')
  const { accounts, stores } = service().services
  const { id } = await accounts.owner()
  await expect.poll(async () => (await stores.jobs.list(id, null, 1))[0]?.status).toBe('Running')
  child.kill('SIGINT')
  expect(await exited).toEqual([130, null])
  expect((await run('jobs --json')).lines[0]?.status).toBe('Canceled')
  expect(await readdir(folder)).toEqual(['a.jpg'])
})

test('a service elsewhere is used by its address and key, and a wrong key is refused', async () => {
  await write('a.jpg', 'fine')
  const at = (key: string) => run(`convert a.jpg -t webp --url ${service().url} --key ${key}`)
  expect(await at(service().key)).toMatchObject({ code: 0, stdout: 'a.webp\n' })
  expect((await at('rf_wrong')).code).toBe(4)
  expect(await run('convert a.jpg -t webp --url http://127.0.0.1:1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No service answers at http://127.0.0.1:1.'),
  })
})

testFull('keys are created, listed and revoked', async () => {
  const key = (await run('key create backup')).stdout.trim()
  const limits = '--budget 7 --expires 2099-12-31 --address 127.0.0.0/8 --address ::1 --guest'
  expect((await run(`key create limited ${limits} --json`)).lines).toMatchObject([
    {
      ...{ monthlyBudget: 7, expiresAt: '2099-12-31T00:00:00.000Z', guest: true },
      ipAllowlist: ['127.0.0.0/8', '::1'],
    },
  ])
  expect((await service().call('/convert/entitlements/me', { key })).status).toBe(200)
  expect((await run('key list')).stdout).toContain('backup')
  expect((await run('key revoke backup')).code).toBe(0)
  expect((await service().call('/convert/entitlements/me', { key })).status).toBe(401)
})

testFull('formats, options and prices come from the catalogue', async () => {
  expect((await run('formats photo.heic')).stdout).toMatch(/^to +category +credits\navif +images +1 per 5 MB/)
  if (!isFull) return
  expect((await run('options heic jpg')).stdout).toMatch(/quality +1–100/)
  expect((await run('convert x.heic --to jpg --help')).stdout).toMatch(/Options of heic to jpg[\s\S]*quality/)
  expect((await run('estimate heic jpg --bytes 12000000')).stdout).toBe('3\n')
  expect((await json<object>(service().call('/health'))) satisfies object).toMatchObject({ status: 'ok' })
  expect((await run('doctor')).stdout).toContain('ffmpeg')
  expect((await run('doctor --encoders')).stdout).toMatch(/^libx264 +processor +60 frames of 720p a second$/m)
})

testFull('shells complete commands, flags and the targets of a file', async () => {
  const completed = async (words: string) =>
    (await run(`__complete -- ${words}`)).stdout.split('\n').filter(Boolean)
  expect(await completed('con')).toEqual(['convert'])
  expect(await completed('convert --over')).toEqual(['--overwrite'])
  expect(await completed('convert photo.heic --to ')).toEqual(
    expect.arrayContaining(['avif', 'jpg', 'png', 'webp']),
  )
  if (isFull) expect(await completed('formats hei')).toEqual(['heic'])
  expect((await run('completion bash')).stdout).toContain('complete -F _refile refile')
})

testFull('models and packs are listed, and one that is not known cannot be installed', async () => {
  expect((await run('models')).stdout).toMatch(/^model +state +size\n/)
  expect((await run('packs')).stdout).toMatch(/^deu +absent +8 MB$/m)
  for (const words of ['models install none', 'packs add none', 'packs remove none'])
    expect(await run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining('"none"') })
})

testFull('serve ends with its service, which has the data folder of --home', async () => {
  const child = start(service().home, folder, ['--home', 'data', 'serve', '--port', '0'])
  const [line] = await once(child.stdout!, 'data')
  const { pid } = JSON.parse(String(line)) as { pid: number }
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([143, null])
  expect(isAlive(pid)).toBe(false)
  expect(await readdir(join(folder, 'data'))).toContain('refile.sqlite')
})

testFull('Ctrl-C ends a command whose service has gone', async () => {
  await write('a.jpg', 'fine')
  const server = createServer(({ method, socket }, response) => {
    if (method === 'HEAD') return void response.end()
    socket.destroy()
    server.emit('gone')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const words = ['convert', 'a.jpg', '--to', 'webp', '--url', url]
  const child = start(service().home, folder, words)
  const exited = once(child, 'exit')
  await once(server, 'gone')
  child.kill('SIGINT')
  expect(await exited).toEqual([130, null])
})

testFull(
  'what is watched and what became of it is said, a second watcher is refused, and so are damaged rules',
  async () => {
    await mkdir(join(folder, 'in'))
    await Promise.all([write('in/a.jpg', 'fine'), write('in/bad.jpg', 'fail-with-cause')])
    const words = 'watch in --to webp --out out --interval 0.05'
    const child = start(service().home, folder, words.split(' '), 'ignore')
    onTestFinished(() => void child.kill('SIGKILL'))
    const status = async () => (await run('watch --status --json')).lines
    const parked = [{ file: 'bad.jpg', detail: expect.stringContaining('damaged') }]
    const last = { file: expect.stringMatching(/jpg$/) }
    const known = { state: 'watching', done: 1, writing: 0, parked, last, problem: null }
    await expect.poll(status, { timeout: 20_000 }).toMatchObject([known])
    expect((await run('watch --status')).stdout).toMatch(
      /in to webp: watching, 1 converted\n {2}last: .*\n {2}bad/,
    )
    expect(await run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining('already watched') })
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect((await run('watch --status')).stdout).toBe('No folder is watched.\n')
    await mkdir(join(folder, 'watch'))
    await write('watch/watch.db', 'damaged')
    expect(await runIn(folder, folder, ['watch', '--status'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('are damaged'),
    })
    expect(await read('watch/watch.db')).toBe('damaged')
  },
)

testFull('a folder is watched by a preset, and its originals go to the recycle bin', async () => {
  await mkdir(join(folder, 'in'))
  await Promise.all([write('in/a.jpg', 'fine'), write('in/b.txt', 'fine')])
  const words = 'watch in --out out --once --interval 0.05 --original recycle'
  const watched = await run(`${words} --preset web --pattern *.jpg`)
  expect(watched).toMatchObject({ code: 0 })
  expect(await readdir(join(folder, 'in'))).toEqual(['b.txt'])
  const bin = join(service().home, '.local', 'share', 'Trash', 'files')
  expect(await readdir(bin)).toHaveLength(1)
  expect(await run(`${words} --to webp --move-to moved`)).toMatchObject({ code: 2 })
  const impossible: [given: string, code: number][] = [
    ['--to nonsense', 3],
    ['--to mp3 --pattern *.jpg', 3],
    ['--to webp --set quality=900', 2],
  ]
  for (const [given, code] of impossible)
    expect(await run(`watch in --out out --once ${given}`), given).toMatchObject({ code })
  if (isFull) expect(await run('watch in --out out --once')).toMatchObject({ code: 2 })
  expect((await run(`${words} --preset web`)).stderr).toContain('--pattern')
})
