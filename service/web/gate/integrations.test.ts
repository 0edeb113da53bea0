/** The code of docs/integrations.md, run as the programs that it is for would run it. */
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { testFull } from '../../../testing/describe-full.ts'
import { testFiles } from '../../../testing/files.ts'
import { isFull } from '../../../testing/fixtures/full.ts'
import { sharedService, testService } from '../../../testing/service.ts'

const files = testFiles('integrations')
const service = sharedService()
const docs = join(import.meta.dirname, '../../../docs')
const page = readFileSync(join(docs, 'integrations.md'), 'utf8')
/** The code of a language below a heading, or of which a line contains a word. */
const codeOf = (language: string, word: string): string =>
  [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].find(
    each => each[1] === language && each[2]!.includes(word),
  )![2]!

/** A folder of its own with programs in it, and two files, whose names are as people have them. */
function desk(name: string) {
  const folder = files.path(name)
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const program = (file: string, code: string) => {
    writeFileSync(join(folder, 'bin', file), code)
    chmodSync(join(folder, 'bin', file), 0o755)
    return join(folder, 'bin', file)
  }
  program('refile-to', codeOf('sh', 'refile-to FORMAT'))
  const paths = ['a letter; really.md', "it's ä.md"].map(file => join(folder, file))
  for (const path of paths) writeFileSync(path, '# Herring\n')
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    REFILE_URL: service().url,
    REFILE_KEY: service().key,
  }
  const run = (command: string, args: string[], further = {}) =>
    promisify(execFile)(command, args, { env: { ...env, ...further }, timeout: 60_000 })
  return { folder, program, paths, run }
}
const htmlOf = (path: string) => readFileSync(path.replace(/\.md$/, '.html'), 'utf8')

testFull('the script converts files beside themselves, replaces none, and says why one fails', async () => {
  const { paths, run, folder } = desk('script')
  await run('refile-to', ['html', ...paths])
  for (const path of paths) expect(htmlOf(path)).toContain('Herring</h1>')
  await run('refile-to', ['html', paths[0]!])
  expect(existsSync(join(folder, 'a letter; really (2).html'))).toBe(true)
  const failed = await run('refile-to', ['mp3', paths[0]!]).catch(error => error)
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('convert.unsupported_format_pair'),
  })
  expect(existsSync(join(folder, 'a letter; really.mp3'))).toBe(false)
})

if (isFull)
  test.each(['NAUTILUS', 'NEMO', 'CAJA'])('the script of %s converts what is selected', async manager => {
    const { program, paths, run } = desk(manager)
    const script = program(
      'To PDF',
      codeOf('sh', 'NAUTILUS_SCRIPT').replace('refile-to pdf', 'refile-to html'),
    )
    await run(script, [], {
      [`${manager}_SCRIPT_SELECTED_FILE_PATHS`]: paths.map(path => `${path}\n`).join(''),
    })
    for (const path of paths) expect(htmlOf(path)).toContain('Herring</h1>')
  })

testFull('the command of Raycast converts what Finder has selected', async () => {
  const { program, paths, run, folder } = desk('raycast')
  // In the place of Apple's, which writes what is logged to standard error.
  program(
    'osascript',
    `#!/bin/sh\nprintf '%s\\n' ${paths.map(path => `'${path.replaceAll("'", `'\\''`)}'`).join(' ')} >&2\n`,
  )
  const command = program('raycast.sh', codeOf('sh', '@raycast').replaceAll('.local/bin', 'bin'))
  await run(command, ['html'], { HOME: folder })
  for (const path of paths) expect(htmlOf(path)).toContain('Herring</h1>')
})

testFull("n8n's workflow sends what Refile takes, and its nodes follow one another", async () => {
  const { nodes, connections } = JSON.parse(readFileSync(join(docs, 'integrations/n8n.json'), 'utf8'))
  const next = (name: string): string[] => [
    name,
    ...(connections[name]?.main[0] ?? []).flatMap((to: { node: string }) => next(to.node)),
  ]
  expect(next(nodes[0].name)).toEqual(nodes.map(({ name }: { name: string }) => name))
  const { parameters } = nodes.find(({ type }: { type: string }) => type === 'n8n-nodes-base.httpRequest')
  const form = new FormData()
  for (const { parameterType, name, value } of parameters.bodyParameters.parameters)
    form.append(
      name,
      ...((parameterType === 'formBinaryData' ? [new Blob(['# Herring']), 'a.md'] : [value]) as [string]),
    )
  const answer = await service().call(new URL(parameters.url).pathname, {
    method: parameters.method,
    body: form,
  })
  expect([answer.status, Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 5)]).toEqual([
    200,
    '%PDF-',
  ])
})

testFull('the command of Home Assistant converts a file', async () => {
  const { paths, run } = desk('home-assistant')
  const picture = paths[0]!.replace(/[^/]*$/, 'snapshot.svg')
  writeFileSync(
    picture,
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>',
  )
  const values: Record<string, string> = {
    header: `X-Service-Api-Key: ${service().key}`,
    file: picture,
    url: service().url,
  }
  const command = parse(codeOf('yaml', 'shell_command')).shell_command.convert_to_jpg
  await run('sh', ['-c', command.replace(/\{\{ (\w+) \}\}/g, (_: string, name: string) => values[name]!)])
  expect(readFileSync(`${picture}.jpg`).subarray(0, 3).toString('hex')).toBe('ffd8ff')
})

test('the request of Power Automate is answered with the file', async () => {
  const { method, uri, body } = JSON.parse(codeOf('json', '$multipart'))
  const parts = body.$multipart.map(({ headers, body: content }: { headers: object; body: string }) => {
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return `--b\r\n${head.join('')}\r\n${content.startsWith('@{') ? '# Herring' : content}\r\n`
  })
  const answer = await service().call(new URL(uri).pathname, {
    ...{
      method,
      body: `${parts.join('')}--b--\r\n`,
      headers: { 'content-type': `${body['$content-type']}; boundary=b` },
    },
  })
  expect([answer.status, (await answer.text()).slice(0, 5)]).toEqual([200, '%PDF-'])
})

test('a page within a program is refused, unless the owner lets it in, as the page says of Obsidian', async () => {
  const headers = { origin: 'app://obsidian.md', authorization: `Bearer ${service().key}` }
  expect((await service().call('/v1/models', { headers })).status).toBe(403)
  const [, setting = ''] = /REFILE_ALLOWED_ORIGINS=(\S+?)`/.exec(page) ?? []
  const open = await testService({ allowedOrigins: [setting] })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(open.url + path, {
      ...init,
      headers: { ...headers, authorization: `Bearer ${open.key}`, ...init.headers },
    })
  const answer = await ask('/v1/models')
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, headers.origin])
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  const preflight = await ask('/v1/audio/transcriptions', {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
  })
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
    204,
    'authorization',
  ])
  // A page may read why it is refused; nothing else of the service is open to it, and no other page.
  const refused = await ask('/v1/models', { headers: { authorization: 'Bearer none' } })
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, headers.origin])
  for (const path of ['/convert/jobs', '/app/session', '/', '/v1x/models'])
    expect((await ask(path)).status, path).toBe(403)
  expect((await ask('/v1/models', { headers: { origin: 'app://obsidian.md.example' } })).status).toBe(403)
})
