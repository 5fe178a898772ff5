import { createAuth } from "@latchkey/node"
import { createAuth as createFetchAuth } from "@latchkey/node/fetch"
import { createAuth as createLambdaAuth } from "@latchkey/node/lambda"

// A misspelled option doesn't compile, in an object or in what a function returns.
createAuth({ providers: [], pages: {} })
// @ts-expect-error no such option
createAuth({ providers: [], sesion: {} })
createFetchAuth({ providers: [], pages: {} })
// @ts-expect-error no such option
createFetchAuth({ providers: [], sesion: {} })
createLambdaAuth({ providers: [], pages: {} })
// @ts-expect-error no such option
createLambdaAuth({ providers: [], sesion: {} })
createAuth(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
createAuth(() => ({ providers: [], sesion: {} }))
createAuth(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
createAuth(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
createFetchAuth(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
createFetchAuth(() => ({ providers: [], sesion: {} }))
createFetchAuth(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
createFetchAuth(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
createLambdaAuth(() => ({ providers: [], pages: {} }))
// @ts-expect-error no such option
createLambdaAuth(() => ({ providers: [], sesion: {} }))
createLambdaAuth(async () => ({ providers: [], callbacks: { session: ({ session }) => session } }))
// @ts-expect-error no such option
createLambdaAuth(async () => ({ providers: [], sesion: {}, callbacks: { session: ({ session }) => session } }))
