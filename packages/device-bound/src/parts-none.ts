// Middleware of Next.js reads sessions and signs no user in. Core checks the cookie there.

export const partsOf = (): object => ({})
