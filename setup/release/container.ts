import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.mjs'
import { temporaryFolder } from '../temporary.ts'
import { checkContainer, works } from './container-check.ts'
import { out, repository, stepNamed, version } from './step.ts'

/**
 * The container image, built on a machine of each processor. `build` builds it, `try` tries it out, and `build --try` does both, by Docker, Podman or Buildah; `push` uploads it by its digest alone,
 * without a tag, so that nobody gets it by a name; `tag` joins the digests of both processors under the version, once a person has
 * published the release. See https://docs.docker.com/build/ci/github-actions/multi-platform/
 */

const image = `ghcr.io/${repository}`
const LOCAL = 'refile:local'
const processor = process.arch === 'x64' ? 'amd64' : process.arch

const docker = (...args: string[]) => execFileSync('docker', args, { cwd: root, stdio: 'inherit' })

/** Docker's own builder cannot push by digest; one in a container can, and has the layers that it built before. */
const BUILDER = ['--builder', 'refile', '--platform', `linux/${processor}`]

/** The first of these that can be used here: Docker's command is there without its service, too. */
function builder(): 'docker' | 'podman' | 'buildah' {
  const found = (['docker', 'podman', 'buildah'] as const).find(program => works(program, 'info'))
  if (!found)
    throw new Error('Building the container needs Docker, Podman or Buildah, and none of them works here.')
  return found
}

function logIn(): void {
  const { GH_TOKEN: token, GITHUB_ACTOR: actor = '' } = process.env
  if (!token) throw new Error('GH_TOKEN is not set.')
  execFileSync('docker', ['login', 'ghcr.io', '--username', actor, '--password-stdin'], {
    input: token,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
}

/** Makes the image that the Dockerfile starts from of Debian's packages and of this Node and npm. */
function makeBase(build: (folder: string) => void): void {
  const npm = process.env.npm_execpath
  if (!npm) throw new Error('Run this by `npm run container`.')
  using folder = temporaryFolder('base')
  const args = [folder.path, realpathSync(process.execPath), join(realpathSync(npm), '..', '..')]
  execFileSync(join(import.meta.dirname, 'container-base.sh'), args, { stdio: 'inherit' })
  build(folder.path)
}

/** Builds the image, with `--try` tries it out, and says how large it is. */
async function build(): Promise<string> {
  const program = builder()
  const start = performance.now()
  if (program === 'docker') {
    if (!works('docker', 'buildx', 'inspect', 'refile'))
      docker('buildx', 'create', '--name', 'refile', '--driver', 'docker-container')
    docker('buildx', 'build', ...BUILDER, '--tag', LOCAL, '--load', '.')
  } else {
    // The isolation that needs no rights to namespaces; the format of Docker is the one that has HEALTHCHECK.
    const args = ['build', '--isolation', 'chroot', '--network', 'host', '--format', 'docker']
    const buildImage = (name: string, folder: string) =>
      execFileSync(program, [...args, '--tag', name, folder], { stdio: 'inherit' })
    const [, base = ''] = /^FROM (\S+)/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
    if (!works(program, 'inspect', base) && !works(program, 'pull', `docker.io/library/${base}`))
      makeBase(folder => buildImage(`docker.io/library/${base}`, folder))
    buildImage(LOCAL, root)
  }
  const built = `Built by ${program} in ${Math.round((performance.now() - start) / 1000)} s.`
  return process.argv.includes('--try') ? `${built} ${await tryOut()}` : built
}

const tryOut = () => checkContainer(builder() === 'docker' ? 'docker' : 'podman', LOCAL)

/** The layers are those that `build` made. Writes `container-<processor>.json` with the digest. */
export function push(folder = out): string {
  logIn()
  using temporary = temporaryFolder('image')
  const metadata = join(temporary.path, 'metadata.json')
  const output = `type=image,name=${image},push-by-digest=true,name-canonical=true,push=true`
  docker('buildx', 'build', ...BUILDER, '--output', output, '--metadata-file', metadata, '.')
  const digest: unknown = JSON.parse(readFileSync(metadata, 'utf8'))['containerimage.digest']
  if (!isDigest(digest)) throw new Error('Docker named no digest of what it pushed.')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `container-${processor}.json`), JSON.stringify({ image, digest }))
  return `Pushed ${image}@${digest}, under no name yet.`
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

if (import.meta.main) await stepNamed({ build, try: tryOut, push: () => push(), tag: () => tag() })
