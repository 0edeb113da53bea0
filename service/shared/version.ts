import packageFile from '../../package.json' with { type: 'json' }

/** Version of Refile. */
export const version: string = packageFile.version
