import { createHash, hkdfSync } from "node:crypto"
import { vi } from "vitest"
import type * as Jwt from "../../src/jwt.js"
import type { Platform } from "../../src/crypto/platform.js"
import type * as VaultModule from "../../src/crypto/token-sealer.js"
import type * as Version4Module from "../../src/compat/version4-tokens.js"

export interface Under {
  readonly name: "node" | "web"
  readonly platform: Platform
  readonly jwt: typeof Jwt
  readonly createTokenSealer: typeof VaultModule.createTokenSealer
  readonly version4Tokens: typeof Version4Module.version4Tokens
}

/** The engine with each of the two modules that `#crypto` can resolve to. */
export const platforms: readonly Under[] = [await load("node"), await load("web")]
// Other test files of this worker import the modules of this machine's platform.
vi.resetModules()

async function load(name: Under["name"]): Promise<Under> {
  vi.resetModules()
  // Replaces the `imports` condition of the package. Both are the real modules.
  const { platform } =
    name === "node" ? await import("../../src/crypto/node.js") : await import("../../src/crypto/web.js")
  vi.doMock("#crypto", () => ({ platform }))
  const jwt = await import("../../src/jwt.js")
  const { createTokenSealer } = await import("../../src/crypto/token-sealer.js")
  const { version4Tokens } = await import("../../src/compat/version4-tokens.js")
  vi.doUnmock("#crypto")
  return { name, platform, jwt, createTokenSealer, version4Tokens }
}

export type Encryption = "A256GCM" | "A256CBC-HS512"

/** A second implementation of the key derivation in docs/sessions.md. */
export function contentKey(secret: string, salt: string, enc: Encryption): Uint8Array<ArrayBuffer> {
  const length = enc === "A256GCM" ? 32 : 64
  return new Uint8Array(hkdfSync("sha256", secret, salt, `Auth.js Generated Encryption Key (${salt})`, length))
}

export function thumbprint(key: Uint8Array): string {
  const members = JSON.stringify({ k: Buffer.from(key).toString("base64url"), kty: "oct" })
  return createHash(key.length === 64 ? "sha512" : "sha256")
    .update(members)
    .digest("base64url")
}

export function headerOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())
}
