import { bootstrap } from './bootstrap.mjs'

await bootstrap(new URL('./serve.ts', import.meta.url))
