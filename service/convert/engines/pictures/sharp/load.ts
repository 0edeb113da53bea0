/** Loads sharp with the settings all engines share. Nothing else imports `sharp` directly. */
import Module from 'node:module'
import { constants } from 'node:os'

interface Loader {
  _extensions: Record<string, (module: object, file: string) => void>
}

/**
 * On Linux, Electron already has the system's GObject in the process, and its symbols would replace those in sharp's
 * own libvips: type checks fail by the thousand, then it crashes (lovell/sharp#4522). With RTLD_DEEPBIND a library
 * prefers its own symbols.
 */
function preferOwnSymbols(): void {
  const { RTLD_NOW, RTLD_DEEPBIND } = constants.dlopen
  if (process.platform !== 'linux' || RTLD_DEEPBIND === undefined) return
  const extensions = (Module as unknown as Loader)._extensions
  const open = extensions['.node']
  if (!open) return
  extensions['.node'] = (module, file) =>
    /sharp-linux(?!musl)/.test(file)
      ? process.dlopen(module, file, RTLD_NOW | RTLD_DEEPBIND)
      : open(module, file)
}

preferOwnSymbols()

const { default: sharp } = await import('sharp')

// Files are cached by name, so a rewritten file would be read as its old picture.
sharp.cache(false)
// Several workers run at once, and more than two threads each are hardly faster.
sharp.concurrency(2)

export type { FailOnOptions, Metadata, Sharp, SharpOptions } from 'sharp'
export { sharp }
