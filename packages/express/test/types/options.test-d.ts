import { createAuth, ExpressAuth } from "@latchkey/express"

// A misspelled option doesn't compile, in an object or in what a function returns.
createAuth({ providers: [], pages: {} })
// @ts-expect-error no such option
createAuth({ providers: [], sesion: {} })
ExpressAuth({ providers: [], pages: {} })
// @ts-expect-error no such option
ExpressAuth({ providers: [], sesion: {} })
