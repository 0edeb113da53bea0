/**
 * Moves a file to the recycle bin of its system, where it can be brought back; it is never deleted.
 * @throws Error if there is none for it, as on some network drives
 */
export async function recycle(path: string): Promise<void> {
  const { default: trash } = await import('trash')
  await trash(path, { glob: false })
}
