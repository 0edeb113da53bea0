import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { serviceProcess } from '../../service/sandbox/process-settings.ts'
import { root } from '../root.mjs'
import { push, pushedImages, tag } from './container.ts'
import { HARDENED } from './container-check.ts'
import { version } from './step.ts'

describe('the Dockerfile', () => {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const last = text.slice(text.lastIndexOf('\nFROM '))

  test('has no mistakes that a linter knows', () => {
    expect(validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([])
    // So that the linter is not one that finds nothing.
    expect(validate(text.replace('USER ', 'USR '))).not.toEqual([])
  })

  test('is built on the exact Node of the project', () => {
    const node = readFileSync(join(root, '.nvmrc'), 'utf8').trim()
    const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
    expect(bases).toEqual([`node:${node}-bookworm-slim`, `node:${node}-bookworm-slim`])
  })

  test('runs as no one, is checked for readiness, and starts the service as everything else does', () => {
    expect(last).toMatch(/^USER 1000:1000$/m)
    expect(/^HEALTHCHECK .*$/m.exec(last)?.[0]).toContain('/health/ready')
    expect(JSON.parse(/^CMD (\[.*\])$/m.exec(last)?.[1] ?? '')).toEqual([
      'node',
      ...serviceProcess.nodeOptions,
      'dist/service/main.js',
    ])
    expect(last.indexOf('USER')).toBeGreaterThan(last.lastIndexOf('RUN'))
  })

  test('installs with the descriptions of all packages that the lockfile has here', () => {
    const before = text.slice(0, text.indexOf('RUN npm ci'))
    for (const folder of packageFile.workspaces)
      expect(before).toContain(`COPY ${folder}/package.json ${folder}/`)
  })

  test('copies neither what is built elsewhere nor what is not in the repository', () => {
    const left = readFileSync(join(root, 'Dockerfile.dockerignore'), 'utf8').trim().split('\n')
    expect(left).toEqual(expect.arrayContaining(['.git', 'dist', 'node_modules', 'out']))
    const { services } = parse(readFileSync(join(root, 'docs/compose/compose.yml'), 'utf8'))
    expect(services.host.build).toEqual({ context: '../..', dockerfile: 'Dockerfile' })
  })
})

test('it is tried as it should be run: read-only and without rights', () => {
  expect(HARDENED).toEqual([
    '--read-only',
    '--tmpfs=/tmp',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
  ])
})

describe('an image', () => {
  const digest = (digit: string) => `sha256:${digit.repeat(64)}`
  let folder: string
  const called = () => readFileSync(join(folder, 'called'), 'utf8').trim().split('\n')

  /** Programs in place of Docker's and GitHub's, which write down how they are called. */
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'refile-container-'))
    mkdirSync(join(folder, 'bin'))
    const program = `#!/bin/sh
echo "$(basename "$0") $*" >> ${folder}/called
[ "$1" = login ] && cat > ${folder}/password
while [ $# -gt 0 ]; do
  [ "$1" = --metadata-file ] && echo '{"containerimage.digest":"${digest('a')}"}' > "$2"
  shift
done
true
`
    for (const name of ['docker', 'gh']) {
      writeFileSync(join(folder, 'bin', name), program)
      chmodSync(join(folder, 'bin', name), 0o755)
    }
    vi.stubEnv('PATH', `${join(folder, 'bin')}${delimiter}${process.env.PATH}`)
    vi.stubEnv('GH_TOKEN', 'a-token')
    vi.stubEnv('GITHUB_ACTOR', 'someone')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  test('is pushed by its digest, under no name', () => {
    const processor = process.arch === 'x64' ? 'amd64' : process.arch
    push(folder)
    const [login, build] = called()
    expect(login).toBe('docker login ghcr.io --username someone --password-stdin')
    expect(readFileSync(join(folder, 'password'), 'utf8')).toBe('a-token')
    expect(build).toContain(
      `--platform linux/${processor} --output type=image,name=ghcr.io/refile/refile,push-by-digest=true,name-canonical=true,push=true`,
    )
    expect(called().join('\n')).not.toMatch(/--tag|a-token/)
    const written = JSON.parse(readFileSync(join(folder, `container-${processor}.json`), 'utf8'))
    expect(written).toEqual({ image: 'ghcr.io/refile/refile', digest: digest('a') })
  })

  test('gets the names of the version from the digests of both processors', () => {
    const write = (name: string, image: string, digest: string) =>
      writeFileSync(join(folder, `container-${name}.json`), JSON.stringify({ image, digest }))
    write('amd64', 'ghcr.io/refile/refile', digest('a'))
    expect(() => pushedImages(folder)).toThrow()
    write('arm64', 'ghcr.io/refile/refile', 'sha256:b')
    expect(() => pushedImages(folder)).toThrow('container-arm64.json names no image')
    write('arm64', 'ghcr.io/another/refile', digest('b'))
    expect(() => pushedImages(folder)).toThrow('container-arm64.json names no image')
    write('arm64', 'ghcr.io/refile/refile', digest('b'))
    tag(folder)
    const name = 'ghcr.io/refile/refile'
    expect(called().at(-1)).toBe(
      `docker buildx imagetools create --tag ${name}:${version} --tag ${name}:latest ${name}@${digest('a')} ${name}@${digest('b')}`,
    )
  })
})
