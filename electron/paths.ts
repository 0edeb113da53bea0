import { join } from 'node:path'
import { app } from 'electron'

/**
 * Locations relative to dist/electron/main.js. In a package, the code is in app.asar, and what workers load is unpacked
 * beside it, where the system can open native libraries and programs.
 */
const dist = join(import.meta.dirname, '..')
const unpackedDist = dist.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')

export const workerEntry = join(unpackedDist, 'service', 'worker.js')
export const rendererFolder = join(dist, 'renderer')
export const preload = join(dist, 'preload', 'preload.cjs')

/** Fonts, profiles and icons that ship with the code. */
export const resourcesFolder = app.isPackaged ? process.resourcesPath : join(dist, '..', 'resources')
export const icons = join(resourcesFolder, 'icons')
