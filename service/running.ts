import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Announcement {
  url: string
  pid: number
}

const pathIn = (home: string) => join(home, 'service.json')

/** Leaves a note in the data folder of where the service answers, for the owner's eyes only. */
export async function announce(home: string, announcement: Announcement): Promise<void> {
  await writeFile(pathIn(home), `${JSON.stringify(announcement)}\n`, { mode: 0o600 })
}

export async function withdraw(home: string): Promise<void> {
  await rm(pathIn(home), { force: true })
}

/** The note of a service that uses this data folder; undefined when there is none. */
export async function readAnnouncement(home: string): Promise<Announcement | undefined> {
  try {
    return JSON.parse(await readFile(pathIn(home), 'utf8')) as Announcement
  } catch {
    return undefined
  }
}
