import sevenZip from './7z.ts'
import rar from './rar.ts'
import tar from './tar.ts'
import tarBz2 from './tar-bz2.ts'
import tarGz from './tar-gz.ts'
import zip from './zip.ts'

/** Declarations of this category, a file per source format. */
export default [...sevenZip, ...rar, ...tar, ...tarBz2, ...tarGz, ...zip]
