import { bootstrap } from './bootstrap.mjs'

await bootstrap(new URL('../testing/run.ts', import.meta.url))
