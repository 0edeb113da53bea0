import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../root.mjs'

/** Removes from the packages of a checkout what no package of Refile contains, by the list in electron-builder.yml. The container does. */
const { files } = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as { files: string[] }
const places: Record<string, string> = { os: process.platform, arch: process.arch }
for (const pattern of files) {
  const [, below] = /^!(?:node_modules|\*\*)\/(.*)/.exec(pattern) ?? []
  const wanted = below?.replaceAll(/\$\{(\w+)\}/g, (_, place) => places[place] ?? '')
  if (wanted === undefined) continue
  for (const path of globSync(`node_modules/${pattern.startsWith('!**') ? '**/' : ''}${wanted}`, {
    cwd: root,
  }))
    rmSync(join(root, path), { recursive: true, force: true })
}
