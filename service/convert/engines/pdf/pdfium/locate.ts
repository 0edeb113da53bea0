import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** Suffixes of the names of LiteParse's packages. */
const TOOLCHAINS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: [''],
  linux: ['-gnu', '-musl'],
  win32: ['-msvc'],
}
const FILES: Partial<Record<NodeJS.Platform, string>> = { darwin: 'libpdfium.dylib', win32: 'pdfium.dll' }

/**
 * Path of PDFium's shared library, which comes with LiteParse, for this system, and LiteParse's version; undefined if there is
 * none.
 */
export function locatePdfium(): { path: string; version: string } | undefined {
  for (const toolchain of TOOLCHAINS[process.platform] ?? []) {
    try {
      const manifest = require.resolve(
        `@llamaindex/liteparse-${process.platform}-${process.arch}${toolchain}/package.json`,
      )
      const path = join(dirname(manifest), FILES[process.platform] ?? 'libpdfium.so')
      const { version } = require(manifest) as { version: string }
      if (existsSync(path)) return { path, version }
    } catch {
      // It is for another toolchain, or not installed.
    }
  }
  return undefined
}
