/** Loaded before a program: lists on stderr which packages of databases and of storages it loads. */
import { registerHooks } from 'node:module'

registerHooks({
  load: (url, context, next) => {
    const [, name] = /\/node_modules\/(pg|@aws-sdk\/[^/]+|@smithy\/[^/]+)\//.exec(url) ?? []
    if (name !== undefined) process.stderr.write(`loaded ${name}\n`)
    return next(url, context)
  },
})
