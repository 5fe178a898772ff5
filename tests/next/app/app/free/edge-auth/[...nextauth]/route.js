import "@latchkey/next/edge/webauthn"
import NextAuth from "@latchkey/next"
import Passkey from "@latchkey/next/providers/passkey"
import { adapter } from "../../../../database.js"

export const runtime = "edge"

export const { GET, POST } = NextAuth({
  basePath: "/free/edge-auth",
  adapter,
  session: { strategy: "jwt" },
  experimental: { enableWebAuthn: true },
  providers: [Passkey],
}).handlers
