import { mfa as secondFactor } from "@latchkey/mfa"
import { password } from "@latchkey/password"
import { sqlite } from "@latchkey/sql/sqlite"
import { SvelteKitAuth } from "@latchkey/sveltekit"
import GitHub from "@latchkey/sveltekit/providers/github"
import Google from "@latchkey/sveltekit/providers/google"
import { AUTH_GITHUB_ID, AUTH_GOOGLE_ID } from "$app/env/private"
import { file } from "./database"
import { email } from "./email"

export const auth = SvelteKitAuth({
  security: "strict",
  adapter: sqlite(file),
  providers: [email, ...(AUTH_GITHUB_ID ? [GitHub] : []), ...(AUTH_GOOGLE_ID ? [Google] : [])],
  modules: [password(), secondFactor()],
  theme: { name: "Harbor", brandColor: "#0d5c63", buttonText: "#ffffff", logo: "/icon.svg" },
  // The return type is the type of the session everywhere.
  callbacks: { session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }) },
})
export const { handle, requireSession, mfa } = auth
