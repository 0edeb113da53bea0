/** Whether the long tests run as well, as in `npm run test:full`: besides files named `*.full.test.ts`, more rounds of others. */
export const isFull: boolean = process.env.REFILE_TESTS === 'full'
