#!/usr/bin/env node
import module from 'node:module'
import { join } from 'node:path'
import { bootstrap } from './bootstrap.mjs'
import { root } from './root.mjs'

// npm runs scripts in this folder and says where it was called; a linked command is where it was called.
process.env.REFILE_CALLED_IN = process.cwd() === root ? (process.env.INIT_CWD ?? root) : process.cwd()
// Half of the time until a command begins is the compilation of this and of the command line.
const cache = join(root, 'node_modules', '.cache', 'refile')
module.enableCompileCache?.(cache)
process.env.NODE_COMPILE_CACHE = cache
await bootstrap(new URL('./refile.ts', import.meta.url))
