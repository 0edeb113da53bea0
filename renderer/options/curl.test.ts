import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commandFor } from './curl.ts'

const curlCommand = (
  wanted: typeof conversion | (Omit<typeof conversion, 'options'> & { options: object }),
) => commandFor('Linux', wanted as typeof conversion)
const powerShellCommand = (wanted: Parameters<typeof curlCommand>[0]) =>
  commandFor('Windows', wanted as typeof conversion)

const conversion = {
  url: 'http://127.0.0.1:7421',
  file: 'photo.heic',
  target: 'webp',
  options: { quality: 70 },
}

test('a command requests the conversion, with the options that differ', () => {
  expect(curlCommand(conversion)).toBe(
    [
      'curl http://127.0.0.1:7421/convert',
      '-H "X-Service-Api-Key: $REFILE_KEY"',
      `-F 'file=@"photo.heic"'`,
      '--form-string targetFormat=webp',
      `--form-string 'options={"quality":70}'`,
    ].join(' \\\n  '),
  )
  expect(curlCommand({ ...conversion, options: {} })).not.toContain('options')
})

/** Arguments as a shell passes them. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`])
    .toString()
    .split('\0')
    .slice(0, -1)

test.each([
  'It\'s a $HOME `date` "quoted" \\ name; rm -rf x &.png',
  'a b.png',
  "''.png",
  '-F.png',
  'ünïcödé 🎉.png',
])('%s reaches a POSIX shell’s program unchanged', name => {
  const words = argumentsOf(curlCommand({ ...conversion, file: name, options: { background: name } }))
  expect(words).toContain(`file=@"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`)
  expect(words.at(-1)).toBe(`options=${JSON.stringify({ background: name })}`)
  expect(words).toHaveLength(9)
})

test('curl itself sends the file and the fields', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'refile-curl-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'it"s; a \\ name\'.png')
  writeFileSync(file, 'picture')
  const received = Promise.withResolvers<string>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    response.end()
    received.resolve(body)
  }).listen(0)
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const command = curlCommand({
    url: `http://127.0.0.1:${port}`,
    file,
    target: 'webp',
    options: { text: '@;"' },
  })
  const { spawn } = await import('node:child_process')
  spawn('sh', ['-c', command], { stdio: 'ignore' })
  const body = await received.promise
  expect(body).toContain('picture')
  expect(body).toContain('name="targetFormat"\r\n\r\nwebp')
  expect(body).toContain('name="options"\r\n\r\n{"text":"@;\\""}')
})

test('PowerShell uses single quotes, doubled inside', () => {
  const command = powerShellCommand({ ...conversion, file: "it's ‘x’.heic" })
  expect(command).toContain(`-F 'file=@"it''s ‘‘x’’.heic"'`)
  expect(command).toContain(' `\n  ')
  expect(command).toMatch(/^curl\.exe 'http/)
  expect(command).toContain('$env:REFILE_KEY')
  expect(commandFor('Mozilla/5.0 (Windows NT 10.0)', conversion)).toBe(powerShellCommand(conversion))
  expect(commandFor('Mozilla/5.0 (X11; Linux)', conversion)).toBe(curlCommand(conversion))
})
