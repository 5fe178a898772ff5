import { SvelteKitAuth } from "@latchkey/sveltekit"

export const auth = SvelteKitAuth({ providers: [] })
export const { handle, signIn, signOut, requireSession, update } = auth
