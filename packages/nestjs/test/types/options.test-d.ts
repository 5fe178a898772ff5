import { LatchkeyModule } from "@latchkey/nestjs"

// A misspelled option doesn't compile, in an object or in what a function returns.
LatchkeyModule.forRoot({ providers: [], pages: {} })
// @ts-expect-error no such option
LatchkeyModule.forRoot({ providers: [], sesion: {} })
LatchkeyModule.forRootAsync({ useFactory: async (secret: string) => ({ providers: [], secret }) })
// @ts-expect-error no such option
LatchkeyModule.forRootAsync({ useFactory: async (secret: string) => ({ providers: [], secret, sesion: {} }) })
// @ts-expect-error no such option
LatchkeyModule.forRootAsync({ useFactory: () => ({ providers: [], sesion: {} }) })
