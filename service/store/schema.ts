import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The SQL of a database. */
interface Schema {
  /** Step n brings a database from version n to n + 1. */
  migrations: string[]
  /** Functions that every change of version puts there anew. */
  functions: string[]
}

/**
 * The files of a database. The first step is the tables of both and its `schema.sql`; each later change is a file `0NN_name.sql` beside
 * that, in both databases, and a released file is never edited. A build puts the folders beside its scripts.
 * @param types turns the tables, which are in SQLite's words, into those of the database
 */
export function schemaOf(
  database: 'sqlite' | 'postgres',
  types: (tables: string) => string = tables => tables,
  root: string = import.meta.dirname,
): Schema {
  const folder = join(root, database)
  const names = readdirSync(folder).filter(name => name.endsWith('.sql'))
  const later = names.filter(name => /^\d{3}_/.test(name)).sort()
  const others = names.filter(name => name !== 'schema.sql' && !later.includes(name))
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const tables = types(readFileSync(join(root, 'sql', 'tables.sql'), 'utf8'))
  return { migrations: [`${tables}\n${read('schema.sql')}`, ...later.map(read)], functions: others.map(read) }
}
