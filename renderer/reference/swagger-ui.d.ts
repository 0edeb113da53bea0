declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** The part of Swagger UI's settings that is used here. */
  interface Settings {
    url: string
    domNode: HTMLElement
    deepLinking: boolean
    /** An online service that validates documents; null for none. */
    validatorUrl: null
    displayRequestDuration: boolean
    defaultModelsExpandDepth: number
    tryItOutEnabled: boolean
  }
  export default function SwaggerUI(settings: Settings): unknown
}
