import { AstroAuth } from "@latchkey/astro"

// A misspelled option doesn't compile, in an object or in what a function returns.
AstroAuth({ providers: [], pages: {} })
// @ts-expect-error no such option
AstroAuth({ providers: [], sesion: {} })
AstroAuth(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
AstroAuth(() => ({ providers: [], sesion: {} }))
AstroAuth(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
AstroAuth(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
