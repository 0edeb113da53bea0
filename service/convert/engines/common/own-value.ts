/**
 * What a table has under a name that comes from a file; undefined also for names that every object has, such as `constructor`.
 */
export const ownValue = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined
