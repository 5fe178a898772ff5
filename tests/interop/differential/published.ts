import { vi } from "vitest"
import type { Imports } from "./application.js"
import { coreOpener, createLibrary, type Library } from "./engines.js"
import { expressOpener } from "./express.js"
import { nextOpener } from "./next.js"

/**
 * Loads the published packages anew, as another process would. `@auth/core` remembers for the whole process that some
 * configuration had an email provider, and from then on refuses every configuration without an adapter.
 */
export async function loadPublished(): Promise<Library> {
  vi.resetModules()
  const core = await import("@auth/core")
  const errors = await import("@auth/core/errors")
  const { default: NextAuth } = await import("next-auth")
  const { NextRequest } = await import("next/server.js")
  const { ExpressAuth, getSession } = await import("@auth/express")
  const { default: Passkey } = await import("@auth/core/providers/passkey")
  const { default: WebAuthn } = await import("@auth/core/providers/webauthn")
  const imports: Imports = {
    customFetch: core.customFetch,
    CredentialsSignin: errors.CredentialsSignin,
    AccessDenied: errors.AccessDenied,
    passkeys: { passkey: Passkey, webauthn: WebAuthn },
  }
  return createLibrary("next-auth", imports, {
    core: coreOpener(core as unknown as Parameters<typeof coreOpener>[0]),
    next: nextOpener({ NextAuth, NextRequest }),
    express: expressOpener({ ExpressAuth, getSession }),
  })
}
