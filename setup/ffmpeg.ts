import { report } from '../service/convert/engines/media/ffmpeg/locate.ts'
import { render } from '../service/shared/messages/render.ts'
import { canInstall, installPackages } from './debian.ts'
import { printInfo } from './root.mjs'

/** Whether the service will find an ffmpeg it can use. */
export async function hasFfmpeg(): Promise<boolean> {
  return (await report()).available
}

/**
 * Audio and video need ffmpeg: installs it on a Debian machine as root; elsewhere, explains how to get it and
 * continues.
 */
export async function ensureFfmpeg(): Promise<void> {
  if ((await hasFfmpeg()) || (canInstall && installPackages(['ffmpeg']))) return
  const { hint } = await report()
  printInfo(`Audio and video cannot be converted yet: there is no ffmpeg. ${hint && render(hint)}`)
}
