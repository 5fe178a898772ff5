import { NuxtAuth } from "@latchkey/nuxt/server"

// A misspelled option doesn't compile, in an object or in what a function returns.
NuxtAuth({ providers: [], pages: {} })
// @ts-expect-error no such option
NuxtAuth({ providers: [], sesion: {} })
NuxtAuth(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
NuxtAuth(() => ({ providers: [], sesion: {} }))
NuxtAuth(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
NuxtAuth(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
