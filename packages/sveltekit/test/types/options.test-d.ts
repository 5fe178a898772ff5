import { SvelteKitAuth } from "@latchkey/sveltekit"

// A misspelled option doesn't compile, in an object or in what a function returns.
SvelteKitAuth({ providers: [], pages: {} })
// @ts-expect-error no such option
SvelteKitAuth({ providers: [], sesion: {} })
SvelteKitAuth(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
SvelteKitAuth(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
