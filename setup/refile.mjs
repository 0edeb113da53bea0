#!/usr/bin/env node
import { bootstrap } from './bootstrap.mjs'
import { root } from './root.mjs'

// npm runs scripts in this folder and says where it was called; a linked command is where it was called.
process.env.REFILE_CALLED_IN = process.cwd() === root ? (process.env.INIT_CWD ?? root) : process.cwd()
await bootstrap(new URL('./refile.ts', import.meta.url))
