import { latchkey } from "@latchkey/elysia"

// A misspelled option doesn't compile, in an object or in what a function returns.
latchkey({ providers: [], pages: {} })
// @ts-expect-error no such option
latchkey({ providers: [], sesion: {} })
latchkey(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
latchkey(() => ({ providers: [], sesion: {} }))
latchkey(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
latchkey(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
