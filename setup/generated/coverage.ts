import { categories } from '../../service/convert/catalogue/converter.ts'
import { converters as all } from '../../service/convert/converters/index.ts'

/** `npm run coverage`: how many converters are implemented, and which are not. */
const converters = all.filter(({ extension }) => !extension)
for (const category of Object.keys(categories)) {
  const own = converters.filter(converter => converter.category === category)
  const missing = own.filter(converter => !converter.load)
  console.log(`${category.padEnd(10)} ${String(own.length - missing.length).padStart(3)}/${own.length}`)
  for (const { job } of missing) console.log(`           missing ${job}`)
}
const done = converters.filter(converter => converter.load).length
console.log(`${'all'.padEnd(10)} ${String(done).padStart(3)}/${converters.length}`)
console.log(`${'beyond'.padEnd(10)} ${String(all.length - converters.length).padStart(3)}`)
