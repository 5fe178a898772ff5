import { TanStackStartAuth } from "@latchkey/tanstack-start"

// A misspelled option doesn't compile, in an object or in what a function returns.
TanStackStartAuth({ providers: [], pages: {} })
// @ts-expect-error no such option
TanStackStartAuth({ providers: [], sesion: {} })
TanStackStartAuth(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
TanStackStartAuth(() => ({ providers: [], sesion: {} }))
TanStackStartAuth(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
TanStackStartAuth(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
TanStackStartAuth({ providers: [] }, { envs: () => ({}) })
