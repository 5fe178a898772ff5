import { H3Auth } from "@latchkey/h3"

// A misspelled option doesn't compile, in an object or in what a function returns.
H3Auth({ providers: [], pages: {} })
// @ts-expect-error no such option
H3Auth({ providers: [], sesion: {} })
H3Auth(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
H3Auth(() => ({ providers: [], sesion: {} }))
H3Auth(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
H3Auth(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
