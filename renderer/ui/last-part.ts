/** The name of a file or folder, without the folders above it, as any system writes paths. */
export const lastPart = (path: string): string => path.split(/[\\/]/).findLast(part => part !== '') ?? path
