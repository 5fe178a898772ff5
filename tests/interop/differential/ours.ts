import { Auth, customFetch, setEnvDefaults } from "@latchkey/core"
import { AccessDenied, CredentialsSignin } from "@latchkey/core/errors"
import Passkey from "@latchkey/core/providers/passkey"
import WebAuthn from "@latchkey/core/providers/webauthn"
import { ExpressAuth, getSession } from "@latchkey/express"
import NextAuth from "@latchkey/next"
import { NextRequest } from "next/server.js"
import { coreOpener, createLibrary, type Library } from "./engines.js"
import { expressOpener } from "./express.js"
import { nextOpener } from "./next.js"

export const latchkey: Library = createLibrary(
  "Latchkey",
  { customFetch, CredentialsSignin, AccessDenied, passkeys: { passkey: Passkey, webauthn: WebAuthn } },
  {
    core: coreOpener({ Auth, setEnvDefaults } as unknown as Parameters<typeof coreOpener>[0]),
    next: nextOpener({ NextAuth, NextRequest } as unknown as Parameters<typeof nextOpener>[0]),
    express: expressOpener({ ExpressAuth, getSession }),
  },
)
