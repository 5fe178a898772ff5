import { createServer } from "@latchkey/core/server"

const shared = { providers: [], appName: "Shop", tenants: { a: 1 }, isTrial: true, colors: ["red"] }

// An object can have other properties, as with next-auth. Only a name that is one letter off is refused.
createServer(() => shared)
createServer(async () => shared)
createServer(() => ({ ...shared, debug: true }))
createServer(async () => ({ ...shared, theme: {} }))
createServer(() => ({ providers: [], appName: "Shop" }))
// @ts-expect-error no such option
createServer(() => ({ providers: [], sessions: {} }))
// @ts-expect-error no such option
createServer(() => ({ providers: [], debgu: true }))
// @ts-expect-error no such option
createServer(async () => ({ providers: [], basepath: "/auth" }))
// @ts-expect-error no such option
createServer(async () => ({ providers: [], callbanks: {} }))

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
