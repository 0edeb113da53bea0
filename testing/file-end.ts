const ends: (() => Promise<void>)[] = []

/** Calls something after all tests of the current file; unlike `afterAll`, it can be asked for within a test. */
export const onFileEnd = (end: () => Promise<void>): void => void ends.push(end)

/** Does so; called after each file. */
export async function endFile(): Promise<void> {
  for (const end of ends.splice(0)) await end()
}
