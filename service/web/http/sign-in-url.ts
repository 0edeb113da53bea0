/** The address of a page that signs a browser in with a token. */
export const signInUrl = (service: string, token: string): string => `${service}/sign-in?token=${token}`
