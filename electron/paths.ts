import { join } from 'node:path'
import { app } from 'electron'

/**
 * Where things are, seen from dist/electron/main.js. Packaged, the code is in app.asar, and what workers load lies
 * unpacked beside it, where native libraries and programs can be opened by the system.
 */
const dist = join(import.meta.dirname, '..')
const unpackedDist = dist.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')

export const workerEntry = join(unpackedDist, 'service', 'worker.js')
export const rendererFolder = join(dist, 'renderer')
export const preload = join(dist, 'preload', 'preload.cjs')

/** Fonts, profiles and icons that ship beside the code. */
export const resourcesFolder = app.isPackaged ? process.resourcesPath : join(dist, '..', 'resources')
export const icons = join(resourcesFolder, 'icons')
