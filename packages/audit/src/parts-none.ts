// Middleware of Next.js reads sessions, of which there are no events, and runs no route.

export const partsOf = (): object => ({})

export const trailOf = (): object => ({})

export const observers = (): object => ({})
