import { memoryAdapter, type MemoryAdapter } from "@latchkey/adapter-kit/memory"
import credentials from "@latchkey/core/providers/credentials"
import Passkey from "@latchkey/core/providers/passkey"
import type { AuthConfig, EmailConfig } from "@latchkey/core/types"
import { createProvider, type FakeProvider } from "@latchkey/testing"
import type { SignInSetup } from "./pages/sign-in.js"
import { type Choices, openSite, type Site } from "./site.js"

/** A site whose page is `SignIn`, with every kind of method. */
export interface SignInSite extends Site {
  readonly op: FakeProvider
  readonly adapter: MemoryAdapter
  /** The codes in the emails that were sent. */
  readonly codes: string[]
  show(setup: SignInSetup): void
}

export interface SignInChoices extends Choices {
  readonly op?: FakeProvider
  /** Offer passkeys in the autofill, which the virtual authenticator then accepts at once. */
  readonly autofill?: boolean
}

export async function openSignInSite({
  op = createProvider(),
  autofill = false,
  ...choices
}: SignInChoices = {}): Promise<SignInSite> {
  const [adapter, codes] = [memoryAdapter(), new Array<string>()]
  const mail: EmailConfig = {
    id: "mail",
    name: "Email",
    type: "email",
    sendVerificationRequest: ({ code = "" }) => {
      codes.push(code)
    },
  }
  const providers: AuthConfig["providers"] = [
    op.provider({ name: "Acme" }),
    Passkey({ enableConditionalUI: autofill }),
    mail,
    password(adapter),
  ]
  const config = { adapter, providers, session: { strategy: "jwt" }, experimental: { enableWebAuthn: true } } as const
  const site = await openSite({
    script: "sign-in-page",
    name: "localhost",
    ...choices,
    config: { ...config, ...choices.config },
  })
  const show = (setup: SignInSetup) => {
    site.setup = { styled: true, ...setup }
  }
  show({})
  return Object.assign(site, { op, adapter, codes, show })
}

function password(adapter: MemoryAdapter) {
  return credentials({
    name: "Password",
    credentials: {
      email: { label: "Email", type: "email", required: true, autocomplete: "username" },
      password: { label: "Password", type: "password", required: true },
    },
    async authorize({ email, password }) {
      if (password !== "open sesame") return null
      const known = await adapter.getUserByEmail(String(email))
      return (
        known ??
        adapter.createUser({ id: `id-${String(email)}`, name: "Ada", email: String(email), emailVerified: null })
      )
    },
  })
}
