import { ReactRouterAuth } from "@latchkey/react-router"

// A misspelled option doesn't compile, in an object or in what a function returns.
ReactRouterAuth({ providers: [], pages: {} })
// @ts-expect-error no such option
ReactRouterAuth({ providers: [], sesion: {} })
ReactRouterAuth(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
ReactRouterAuth(() => ({ providers: [], sesion: {} }))
ReactRouterAuth(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
ReactRouterAuth(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
