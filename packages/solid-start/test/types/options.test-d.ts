import { SolidAuth } from "@latchkey/solid-start"

// A misspelled option doesn't compile, in an object or in what a function returns.
SolidAuth({ providers: [], pages: {} })
// @ts-expect-error no such option
SolidAuth({ providers: [], sesion: {} })
SolidAuth(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
SolidAuth(() => ({ providers: [], sesion: {} }))
SolidAuth(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
SolidAuth(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
