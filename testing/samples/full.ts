/** Whether the long tests run as well, as in `npm run test:full`: besides files named `*.full.test.ts`, more rounds of others. */
export const isFull: boolean = process.env.REFILE_TESTS === 'full'

/** Cases of which the short suite tries those that differ in kind, and the full one all. */
export const kinds = <T>(all: readonly T[], isKind: (each: T) => boolean): T[] =>
  isFull ? [...all] : all.filter(isKind)

/** The first cases of a table, whose kinds the short suite tries, and all of them in the full one. */
export const few = <const T>(count: number, all: readonly T[]): readonly T[] =>
  isFull ? all : all.slice(0, count)

/** Cases that only the full suite tries. */
export const onlyFull = <const T>(all: readonly T[]): readonly T[] => few(0, all)
