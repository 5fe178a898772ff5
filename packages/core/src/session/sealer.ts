import type { Realm } from "../model/auth.js"
import type { JWTOptions } from "../model/config.js"
import type { JWT } from "../model/session.js"

export interface OpenedToken {
  readonly claims: JWT
  /** The claims as JSON, to tell whether a callback changed them. */
  readonly text: string
  readonly outdated: boolean
}

/** How claims become a token and back. */
export interface Sealer {
  seal(claims: JWT): Promise<string>
  /** `null`: not one of ours, or expired. */
  open(token: string): Promise<OpenedToken | null>
}

interface SealerOptions {
  readonly jwt: JWTOptions
  readonly secrets: readonly string[]
  readonly vault: Realm["vault"]
  /** Names of cookies under which a token may have been sealed; the first is the present one. */
  readonly salts: readonly [string, ...string[]]
  /** Seconds. */
  readonly maxAge: number
}

type Decode = NonNullable<JWTOptions["decode"]>

export function sealer(options: SealerOptions): Sealer {
  const { jwt, vault, salts, maxAge } = options
  const parameters = { ...jwt, secret: [...options.secrets], maxAge, salt: salts[0] }
  const { encode, decode } = jwt
  return {
    seal: async (claims) =>
      encode === undefined ? vault.seal(salts[0], claims, maxAge) : encode({ ...parameters, token: claims }),
    open: decode === undefined ? (token) => openAny(vault, salts, token) : (token) => openOwn(decode, token),
  }

  async function openOwn(decodeOwn: Decode, token: string): Promise<OpenedToken | null> {
    const claims = await decodeOwn({ ...parameters, token })
    return claims === null || claims === undefined ? null : { claims, text: JSON.stringify(claims), outdated: false }
  }
}

async function openAny(vault: Realm["vault"], salts: readonly string[], token: string): Promise<OpenedToken | null> {
  for (const salt of salts) {
    try {
      const { payload, text, outdated } = await vault.open(salt, token)
      return { claims: payload, text, outdated: outdated || salt !== salts[0] }
    } catch {
      // Sealed under another name, with another secret, or by somebody else: the next name may fit.
    }
  }
  return null
}
