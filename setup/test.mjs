import { bootstrap } from './bootstrap.mjs'

await bootstrap(new URL('./test.ts', import.meta.url))
