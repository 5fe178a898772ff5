export { SessionProvider, type SessionProviderProps, useAuthClient } from "./provider.js"
export type { SessionOf, SessionState, UpdateSession } from "./session.js"
export { useSession, type UseSessionOptions } from "./use-session.js"
