import { SolidAuth } from "@latchkey/solid-start"

export const { middleware, getSession, requireSession, signIn, signOut, update } = SolidAuth({ providers: [] })
