/** The performance of several hosts of one service. Needs PostgreSQL; `npm run bench cluster`. */
import { hasPostgres } from '../testing/servers/postgres.ts'
import { anyCredentials } from '../testing/servers/s3.ts'
import { claimLatency } from './cluster/claims.ts'
import { demands } from './cluster/demands.ts'
import { families } from './cluster/families.ts'
import { manyHosts } from './cluster/many.ts'
import { single } from './cluster/single.ts'
import { throughput } from './cluster/throughput.ts'

const parts = { throughput, claims: claimLatency, many: manyHosts, single, demands, families }

if (!hasPostgres) throw new Error('There is no PostgreSQL here.')
Object.assign(process.env, anyCredentials)
const names = process.argv.slice(2)
for (const [name, part] of Object.entries(parts)) if (names.length === 0 || names.includes(name)) await part()
