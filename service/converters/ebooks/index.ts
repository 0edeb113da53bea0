import azw3 from './azw3.ts'
import epub from './epub.ts'
import mobi from './mobi.ts'
import pdf from './pdf.ts'

/** Declarations of this category, a file per source format. */
export default [...azw3, ...epub, ...mobi, ...pdf]
