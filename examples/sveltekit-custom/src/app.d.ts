import type { auth } from "./auth"

declare module "@latchkey/sveltekit" {
  interface Register {
    auth: typeof auth
  }
}
