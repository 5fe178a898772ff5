import { createAuth } from "@latchkey/hono"

// A misspelled option doesn't compile, in an object or in what a function returns.
createAuth({ providers: [], pages: {} })
// @ts-expect-error no such option
createAuth({ providers: [], sesion: {} })
createAuth(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
createAuth(() => ({ providers: [], sesion: {} }))
createAuth(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
createAuth(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
