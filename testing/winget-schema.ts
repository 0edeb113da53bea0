/**
 * What winget accepts in the fields that our manifests have, in JSON Schema. The limits are those of its schemas of version 1.10.0:
 * https://github.com/microsoft/winget-cli/tree/master/schemas/JSON/manifests/v1.10.0. No npm package has them.
 */

const text = (minLength: number, maxLength: number) => ({ type: 'string', minLength, maxLength })
const url = { type: 'string', pattern: '^https?://.+$', maxLength: 2048 }
const language = { type: 'string', pattern: '^[a-zA-Z]{2,3}(-[a-zA-Z]{1,8})*$', maxLength: 20 }

/** A manifest of a type with exactly these fields; those of every manifest are added. */
const manifest = (type: string, fields: Record<string, object>) => {
  const properties = {
    // Two to eight words of at most 32 characters, without those that paths and patterns use.
    PackageIdentifier: {
      type: 'string',
      pattern: String.raw`^[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}$`,
      maxLength: 128,
    },
    PackageVersion: { type: 'string', pattern: String.raw`^[^\\/:*?"<>|]+$`, maxLength: 128 },
    ManifestType: { const: type },
    ManifestVersion: { const: '1.10.0' },
    ...fields,
  }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

const installer = {
  type: 'object',
  properties: {
    Architecture: { enum: ['x86', 'x64', 'arm', 'arm64', 'neutral'] },
    InstallerUrl: url,
    InstallerSha256: { type: 'string', pattern: '^[A-Fa-f0-9]{64}$' },
  },
  required: ['Architecture', 'InstallerUrl', 'InstallerSha256'],
  additionalProperties: false,
}

/** The schema of each manifest by its type. */
export const wingetSchemas: Record<string, object> = {
  version: manifest('version', { DefaultLocale: language }),
  installer: manifest('installer', {
    InstallerType: {
      enum: ['msix', 'msi', 'appx', 'exe', 'zip', 'inno', 'nullsoft', 'wix', 'burn', 'portable'],
    },
    Scope: { enum: ['user', 'machine'] },
    UpgradeBehavior: { enum: ['install', 'uninstallPrevious', 'deny'] },
    Commands: { type: 'array', items: text(1, 40), maxItems: 16, uniqueItems: true },
    Protocols: { type: 'array', items: text(1, 2048), maxItems: 64, uniqueItems: true },
    Installers: { type: 'array', items: installer, minItems: 1, maxItems: 1024 },
  }),
  defaultLocale: manifest('defaultLocale', {
    PackageLocale: language,
    Publisher: text(2, 256),
    PackageName: text(2, 256),
    PackageUrl: url,
    License: text(3, 512),
    LicenseUrl: url,
    ShortDescription: text(3, 256),
    ReleaseNotesUrl: url,
  }),
}
