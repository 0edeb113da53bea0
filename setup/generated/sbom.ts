import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import { speechModels } from '../../service/convert/models/list.ts'
import type { Model } from '../../service/convert/models/model.ts'
import { packs } from '../../service/convert/models/packs.ts'
import { ffmpegBuilds } from '../release/ffmpeg.ts'
import { root } from '../root.mjs'
import { type ShippedVersion, shippedVersions } from '../shipped.ts'

/**
 * `npm run sbom [-- FILE]`: writes the software bill of materials in the CycloneDX 1.6 format (ECMA-424), to stdout or a file. It
 * lists what a copy contains or may download, but not the programs that only tests use.
 */

interface Component {
  type: 'application' | 'library' | 'machine-learning-model' | 'data'
  'bom-ref': string
  name: string
  version?: string
  group?: string
  description?: string
  /** `optional`: only on some platforms, or downloaded on request. */
  scope?: 'required' | 'optional'
  hashes?: { alg: string; content: string }[]
  licenses: ({ license: { id: string } } | { license: { name: string } } | { expression: string })[]
  purl?: string
  externalReferences?: { type: 'distribution'; url: string }[]
}

export interface BillOfMaterials {
  $schema: string
  bomFormat: 'CycloneDX'
  specVersion: '1.6'
  version: number
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const algorithms: Record<string, string> = {
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
}

/** Converts subresource integrity, which may list several hashes, to the CycloneDX form. */
const hashesOf = (integrity: string) =>
  integrity.split(' ').flatMap(entry => {
    const [algorithm = '', base64 = ''] = entry.split(/-(.*)/)
    const alg = algorithms[algorithm]
    return alg ? [{ alg, content: Buffer.from(base64, 'base64').toString('hex') }] : []
  })

/** An SPDX identifier, an SPDX expression, or otherwise a name. */
const licenceOf = (licence: string): Component['licenses'] => {
  if (/ (?:OR|AND|WITH) /.test(licence)) return [{ expression: licence }]
  return /^[\w.+-]+$/.test(licence) ? [{ license: { id: licence } }] : [{ license: { name: licence } }]
}

/** Package URL (purl-spec, type npm): the at sign of a scope is escaped. */
const purlOf = ({ name, version }: ShippedVersion) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

function library(shipped: ShippedVersion): Component {
  const [, group, name = shipped.name] = /^(@[^/]+)\/(.+)$/.exec(shipped.name) ?? []
  const purl = purlOf(shipped)
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group ? { group } : {}),
    name,
    version: shipped.version,
    scope: shipped.folder ? 'required' : 'optional',
    ...(shipped.integrity ? { hashes: hashesOf(shipped.integrity) } : {}),
    licenses: licenceOf(shipped.licence),
    purl,
  }
}

/** Licences of the bundled font families that have an SPDX identifier. */
const fontLicences: Record<string, string> = { Arimo: 'OFL-1.1', Cousine: 'OFL-1.1', Tinos: 'OFL-1.1' }

const fonts = (): Component[] =>
  readdirSync(join(root, 'resources', 'fonts')).flatMap((file): Component[] => {
    const name = /^LICENSE-(\w+)\.txt$/.exec(file)?.[1]
    if (name === undefined) return []
    return [
      {
        type: 'data',
        'bom-ref': `font:${name}`,
        name,
        description: 'Font',
        scope: 'required',
        licenses: licenceOf(fontLicences[name] ?? `in resources/fonts/${file}`),
      },
    ]
  })

const models = (): Component[] => [
  ...speechModels.map(downloadable('Speech model, downloaded when asked for')),
  ...packs.map(
    downloadable('Language of text recognition, font of a script or program, downloaded when needed'),
  ),
]

const downloadable =
  (description: string) =>
  ({ id, name, checksum, licence, address, isFolder }: Model): Component => ({
    type: isFolder ? 'application' : 'machine-learning-model',
    'bom-ref': `model:${id}`,
    name,
    description,
    scope: 'optional',
    hashes: [{ alg: checksum.algorithm === 'sha1' ? 'SHA-1' : 'SHA-512', content: checksum.hex }],
    licenses: licenceOf(licence),
    externalReferences: [{ type: 'distribution', url: address }],
  })

const ffmpegs = (): Component[] =>
  Object.entries(ffmpegBuilds.builds).map(([target, { version, address, sha256 }]) => ({
    type: 'application',
    'bom-ref': `ffmpeg:${target}`,
    name: 'ffmpeg',
    version,
    description: `Program of the packages for ${target}`,
    scope: 'optional',
    ...(sha256 ? { hashes: [{ alg: 'SHA-256', content: sha256 }] } : {}),
    licenses: licenceOf('GPL-3.0-or-later'),
    ...(address ? { externalReferences: [{ type: 'distribution', url: address }] } : {}),
  }))

/** The whole document. It is the same on every machine for the same lockfile. */
export function billOfMaterials(): BillOfMaterials {
  const ref = `pkg:npm/${packageFile.name}@${packageFile.version}`
  const components = [...shippedVersions().map(library), ...ffmpegs(), ...fonts(), ...models()]
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': ref,
        name: packageFile.name,
        version: packageFile.version,
        licenses: licenceOf(packageFile.license),
        purl: ref,
      },
    },
    components,
    dependencies: [{ ref, dependsOn: components.map(component => component['bom-ref']) }],
  }
}

if (import.meta.main) {
  const text = `${JSON.stringify(billOfMaterials(), null, 2)}\n`
  const [file] = process.argv.slice(2)
  if (file) writeFileSync(file, text)
  else process.stdout.write(text)
}
