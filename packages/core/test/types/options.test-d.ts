import { createServer } from "@latchkey/core/server"

// A misspelled option doesn't compile, in an object or in what a function returns.
createServer({ providers: [], pages: {} })
// @ts-expect-error no such option
createServer({ providers: [], sesion: {} })
createServer(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
createServer(() => ({ providers: [], sesion: {} }))
createServer(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
createServer(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
