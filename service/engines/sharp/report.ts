import type { EngineReport } from '../report.ts'

export async function report(): Promise<EngineReport> {
  try {
    const { sharp } = await import('./load.ts')
    return { name: 'sharp', version: sharp.versions.sharp ?? null, available: true, hint: null }
  } catch {
    return {
      name: 'sharp',
      version: null,
      available: false,
      hint: 'The image library does not run on this system. Install Refile again for exactly this platform.',
    }
  }
}
