/** Tests of the page run the build, which must be that of the sources. */
export { ensureBuild as default } from '../../setup/build.ts'
