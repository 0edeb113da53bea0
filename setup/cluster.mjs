import { bootstrap } from './bootstrap.mjs'

await bootstrap(new URL('./cluster.ts', import.meta.url))
