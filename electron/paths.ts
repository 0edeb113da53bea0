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
export const appIcon = join(icons, 'linux', '256x256.png')

/**
 * Whether the program stays where it is, so that its path may be registered with the system. A portable build for Windows unpacks
 * itself to a temporary folder at every start: https://www.electron.build/nsis#portable
 */
export const isInstalled = (): boolean => app.isPackaged && !process.env.PORTABLE_EXECUTABLE_FILE
