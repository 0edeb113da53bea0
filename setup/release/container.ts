import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../root.mjs'
import { checkContainer } from './container-check.ts'
import { out, repository, step, version } from './step.ts'

/**
 * The container image, built on a machine of each processor. `build` builds it and tries it out; `push` uploads it by its digest alone,
 * without a tag, so that nobody gets it by a name; `tag` joins the digests of both processors under the version, once a person has
 * published the release. See https://docs.docker.com/build/ci/github-actions/multi-platform/
 */

const image = `ghcr.io/${repository}`
const LOCAL = 'refile:local'
const processor = process.arch === 'x64' ? 'amd64' : process.arch

const docker = (...args: string[]) => execFileSync('docker', args, { cwd: root, stdio: 'inherit' })

/** Docker's own builder cannot push by digest; one in a container can. */
function builder(): void {
  docker('buildx', 'create', '--name', 'refile', '--driver', 'docker-container', '--use')
}

function logIn(): void {
  const { GH_TOKEN: token, GITHUB_ACTOR: actor = '' } = process.env
  if (!token) throw new Error('GH_TOKEN is not set.')
  execFileSync('docker', ['login', 'ghcr.io', '--username', actor, '--password-stdin'], {
    input: token,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
}

async function build(): Promise<string> {
  builder()
  docker('buildx', 'build', '--platform', `linux/${processor}`, '--tag', LOCAL, '--load', '.')
  return checkContainer(LOCAL)
}

/** The layers are those that `build` made. Writes `container-<processor>.json` with the digest. */
export function push(folder = out): string {
  logIn()
  const temporary = mkdtempSync(join(tmpdir(), 'refile-image-'))
  try {
    const metadata = join(temporary, 'metadata.json')
    const output = `type=image,name=${image},push-by-digest=true,name-canonical=true,push=true`
    const args = ['--platform', `linux/${processor}`, '--output', output, '--metadata-file', metadata]
    docker('buildx', 'build', ...args, '.')
    const digest: unknown = JSON.parse(readFileSync(metadata, 'utf8'))['containerimage.digest']
    if (!isDigest(digest)) throw new Error('Docker named no digest of what it pushed.')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `container-${processor}.json`), JSON.stringify({ image, digest }))
    return `Pushed ${image}@${digest}, under no name yet.`
  } finally {
    rmSync(temporary, { recursive: true })
  }
}

const isDigest = (text: unknown): text is string =>
  typeof text === 'string' && /^sha256:[0-9a-f]{64}$/.test(text)

/**
 * The reference of each processor's image, from the files that `push` wrote.
 * @throws Error if one is missing or is not of this repository
 */
export function pushedImages(folder: string): string[] {
  return ['amd64', 'arm64'].map(name => {
    const pushed = JSON.parse(readFileSync(join(folder, `container-${name}.json`), 'utf8'))
    if (pushed.image !== image || !isDigest(pushed.digest))
      throw new Error(`container-${name}.json names no image of ${image}.`)
    return `${image}@${pushed.digest}`
  })
}

export function tag(folder = out): string {
  const args = ['--pattern', 'container-*.json', '--dir', folder]
  execFileSync('gh', ['release', 'download', `v${version}`, ...args], { stdio: 'inherit' })
  const images = pushedImages(folder)
  logIn()
  const names = [version, 'latest'].flatMap(name => ['--tag', `${image}:${name}`])
  docker('buildx', 'imagetools', 'create', ...names, ...images)
  return `${image}:${version} is ${images.join(' and ')}.`
}

const verbs: Record<string, () => string | Promise<string>> = { build, push: () => push(), tag: () => tag() }

if (import.meta.main)
  await step(() => {
    const run = verbs[process.argv[2] ?? '']
    if (!run) throw new Error(`Say one of ${Object.keys(verbs).join(', ')}.`)
    return run()
  })
