import { categories } from '../service/catalogue/converter.ts'
import { converters } from '../service/converters/index.ts'

/** `npm run coverage`: how many of the converters have their engine, and which have not. */
for (const category of Object.keys(categories)) {
  const all = converters.filter(converter => converter.category === category)
  const missing = all.filter(converter => !converter.load)
  console.log(`${category.padEnd(10)} ${String(all.length - missing.length).padStart(3)}/${all.length}`)
  for (const { job } of missing) console.log(`           missing ${job}`)
}
const done = converters.filter(converter => converter.load).length
console.log(`${'all'.padEnd(10)} ${String(done).padStart(3)}/${converters.length}`)
