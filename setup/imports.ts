import { cycles, forbidden, reached } from './imports/check.ts'
import { readImports } from './imports/graph.ts'
import { neverReaches, rules } from './imports/rules.ts'
import { printInfo, root } from './root.mjs'

/** A part of `npm run lint`: fails if a file imports what its folder may not know; see setup/imports/rules.ts. */
const imports = readImports(root)
const problems = [
  ...forbidden(imports, rules),
  ...neverReaches.flatMap(({ starts, place, ...rest }) =>
    starts.flatMap(start => reached(imports, start, place, 'but' in rest ? rest.but : '')),
  ),
  ...cycles(imports).map(cycle => `${cycle} is a circle`),
]
for (const problem of problems) printInfo(problem)
printInfo(`${imports.length} imports, ${problems.length} of them wrong`)
process.exitCode = problems.length === 0 ? 0 : 1
