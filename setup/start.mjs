import { bootstrap } from './bootstrap.mjs'

await bootstrap(new URL('./start.ts', import.meta.url))
