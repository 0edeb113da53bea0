declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** The part of Swagger UI's settings that is used here. */
  interface Settings {
    url: string
    domNode: HTMLElement
    deepLinking: boolean
    /** A service on the internet that checks documents; null asks none. */
    validatorUrl: null
    displayRequestDuration: boolean
    defaultModelsExpandDepth: number
    tryItOutEnabled: boolean
  }
  export default function SwaggerUI(settings: Settings): unknown
}
